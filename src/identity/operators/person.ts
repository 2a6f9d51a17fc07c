// Who decides about money. People who signed in are persons by the name of their first sign-in; a token counts as whoever created
// it, or, if the token of the settings or a command on the server has, as its owner; without one as the one person "token". Names
// are compared by their look, as those of profiles are, and without spaces.

import type { Config } from '../../platform/config/config.ts'
import { nameLook } from '../../text-rules/name-look.ts'
import { BOOTSTRAP, COMMAND_LINE, type Operator } from './operator.ts'

/** `person` is compared; `name` is shown. */
export type Actor = {
  readonly name: string
  readonly person: string
  /** Why they decide nothing about money, in words. */
  readonly cannotDecide?: string | null
  /** A cashier: of two approvals only the first. */
  readonly firstOnly?: boolean
}

/** All tokens without an owner, that of the settings included. */
const TOKEN = 'token'

export function actorOf({ name, role, person = TOKEN, cannotDecide = null }: Operator): Actor {
  return { name, person, cannotDecide, firstOnly: role === 'cashier' }
}

/** Empty: the name consists of blanks and invisible characters. */
export function personNamed(name: string): string {
  return nameLook(name).replaceAll(' ', '')
}

/** These hand out the tokens of others, and name whom they count as. */
const HANDS_OUT: readonly string[] = [BOOTSTRAP, COMMAND_LINE.name]

type TokenOrigin = {
  readonly owner: string | null
  /** null: by an earlier version. */
  readonly created_by: string | null
  readonly created_by_person: string | null
}

/** Who creates a token could act with it: were it to count as somebody else, one person could give both decisions. */
export function personOfToken({ owner, created_by, created_by_person }: TokenOrigin): string {
  if (created_by_person !== null) return created_by_person
  const isNamed = owner !== null && (created_by === null || HANDS_OUT.includes(created_by))
  return isNamed ? personNamed(owner) : TOKEN
}

/** null: the operator may name whom a token counts as. */
export function creatorOf({ name, person = TOKEN }: Pick<Operator, 'name' | 'person'>): string | null {
  return HANDS_OUT.includes(name) ? null : person
}

/** In production with OpenID only people decide, unless the settings let tokens decide too. */
export function tokensDecide({ mode, operator, wallets }: Config): boolean {
  return mode !== 'production' || operator.openId === null || wallets.tokensDecideMoney
}

/** null: the caller may. In production the token of the settings, which could act as each of those whose tokens it has handed out, may not. */
export function whyTokenCannotDecide(config: Config, isBootstrap: boolean): string | null {
  if (!tokensDecide(config)) return ONLY_PEOPLE_DECIDE
  return isBootstrap && config.mode === 'production' ? NOT_BOOTSTRAP : null
}

const NOT_BOOTSTRAP =
  'OPERATOR_TOKEN decides nothing about money in production: create a token with an owner for each person who does.'

export const ONLY_PEOPLE_DECIDE =
  'Only people who signed in decide about money: sign in to the console, or set MONEY_BY_TOKENS=yes so that tokens decide as their owners.'
