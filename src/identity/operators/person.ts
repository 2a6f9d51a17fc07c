// Who decides about money. People who signed in are persons by the name of their first sign-in; a token counts as whoever created
// it, if that is a person, else as its owner, else as the one person "token". Names are compared by their look, as those of profiles
// are, and without spaces.

import type { Config } from '../../platform/config/config.ts'
import { nameLook } from '../../text-rules/name-look.ts'
import type { Operator } from './operator.ts'

/** `person` is compared; `name` is shown. */
export type Actor = {
  readonly name: string
  readonly person: string
  /** A token, where only people decide about money. */
  readonly cannotDecide?: boolean
  /** A cashier: of two approvals only the first. */
  readonly firstOnly?: boolean
}

/** All tokens without an owner, that of the settings included. */
const TOKEN = 'token'

export function actorOf({ name, role, person = TOKEN, cannotDecide = false }: Operator): Actor {
  return { name, person, cannotDecide, firstOnly: role === 'cashier' }
}

/** Empty: the name consists of blanks and invisible characters. */
export function personNamed(name: string): string {
  return nameLook(name).replaceAll(' ', '')
}

/**
 * Who creates a token could act with it: were it to count as somebody else, one person could give both decisions. A token without
 * an owner, such as that of the settings, hands out the tokens of others and names their owners.
 */
export function personOfToken({ owner, creator }: { owner: string | null; creator: string | null }): string {
  return creator ?? (owner === null ? TOKEN : personNamed(owner))
}

/** null: the operator may name whom a token counts as. */
export function creatorOf({ person = TOKEN }: Operator): string | null {
  return person === TOKEN ? null : person
}

/** In production with OpenID only people decide, unless the settings let tokens decide too. */
export function tokensDecide({ mode, operator, wallets }: Config): boolean {
  return mode !== 'production' || operator.openId === null || wallets.tokensDecideMoney
}

export const ONLY_PEOPLE_DECIDE =
  'Only people who signed in decide about money: sign in to the console, or set MONEY_BY_TOKENS=yes so that tokens decide as their owners.'
