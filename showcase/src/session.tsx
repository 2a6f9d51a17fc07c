// Who is logged in. Each tab has its own customer, so that two of them can watch each other.

import { Paddock } from '@paddock/client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { linkTo, openRoute, useRoute } from '../../web/route.ts'
import { recordedFetch } from './recorder.ts'
import type { Customer, Sandbox } from './sandbox.ts'
import { STORED_CUSTOMER, storedTicket, storeTicket } from './stored.ts'

/** As the header shows a customer. */
type ShownProfile = { readonly name: string; readonly picture: string }

export type Session = {
  readonly sandbox: Sandbox
  readonly customer: Customer
  readonly paddock: Paddock
  switchTo(customer: Customer): void
  /** The session is over: begins another one on the same page. */
  logInAgain(): Promise<void>
  /** The customer's name or picture has changed. */
  showProfile(profile: ShownProfile): void
}

const Context = createContext<Session | undefined>(undefined)

type ProviderProps = {
  sandbox: Sandbox
  /** The page before somebody is logged in. */
  welcome: (choose: (customer: Customer) => void) => ReactNode
  children: ReactNode
}

const WELCOME = 'welcome'
/** Public, as everything of the sandbox: elsewhere customers type theirs. */
const PASSWORD = 'sandbox'

/**
 * Shows `welcome` until somebody is logged in, and at #/welcome, with the session of the first customer. Everything below it
 * begins anew with another customer.
 */
export function SessionProvider({ sandbox, welcome, children }: ProviderProps) {
  const [username, setUsername] = useState(() => sessionStorage.getItem(STORED_CUSTOMER))
  const [changed, setChanged] = useState<Readonly<Record<string, ShownProfile>>>({})
  const isWelcome = useRoute().path[0] === WELCOME
  const [tickets, setTickets] = useState(() => storedTickets(sandbox.customers))
  const chosen = useMemo(() => withTicket(sandbox.customers, username, tickets), [sandbox, username, tickets])
  const isLoggedIn = chosen !== undefined && !isWelcome
  const customer = isLoggedIn ? chosen : sandbox.customers[0]
  const paddock = useMemo(() => customer && openClient(sandbox, customer), [sandbox, customer])
  const session = useMemo<Session | undefined>(() => {
    if (customer === undefined || paddock === undefined) return undefined
    return {
      sandbox: { ...sandbox, customers: sandbox.customers.map((one) => ({ ...one, ...changed[one.username] })) },
      customer,
      paddock,
      switchTo: (chosen) => choose(chosen, setUsername),
      async logInAgain() {
        const { ticket } = await paddock.createTicket({ username: customer.username, password: PASSWORD })
        storeTicket(customer.username, ticket)
        setTickets((before) => ({ ...before, [customer.username]: ticket }))
      },
      showProfile: ({ name, picture }) =>
        setChanged((before) => ({ ...before, [customer.username]: { name, picture } })),
    }
  }, [sandbox, customer, paddock, changed])
  if (session === undefined) return null
  return (
    <Context key={isLoggedIn ? session.customer.ticket : WELCOME} value={session}>
      {isLoggedIn ? children : welcome(session.switchTo)}
    </Context>
  )
}

type Tickets = Readonly<Record<string, string>>

/** The tickets of the customers who had to log in again in this tab. */
function storedTickets(customers: readonly Customer[]): Tickets {
  const stored = customers.map(({ username }) => [username, storedTicket(username)] as const)
  return Object.fromEntries(stored.filter((one): one is [string, string] => one[1] !== null))
}

function withTicket(customers: readonly Customer[], username: string | null, tickets: Tickets): Customer | undefined {
  const found = customers.find((one) => one.username === username)
  return found && { ...found, ticket: tickets[found.username] ?? found.ticket }
}

function openClient({ apiKey, secret }: Sandbox, { ticket }: Customer): Paddock {
  return new Paddock({ baseUrl: location.origin, apiKey, secret, ticket, fetch: recordedFetch })
}

function choose({ username }: Customer, setUsername: (name: string) => void): void {
  sessionStorage.setItem(STORED_CUSTOMER, username)
  setUsername(username)
  if (location.hash.startsWith(linkTo(WELCOME))) openRoute()
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === undefined) throw new Error('useSession needs a SessionProvider above it')
  return session
}
