// Who is logged in. Each tab has its own customer, so that two of them can watch each other.

import { Paddock } from '@paddock/client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { recordedFetch } from './recorder.ts'
import type { Customer, Sandbox } from './sandbox.ts'

/** As the header shows a customer. */
type ShownProfile = { readonly name: string; readonly picture: string }

export type Session = {
  readonly sandbox: Sandbox
  readonly customer: Customer
  readonly paddock: Paddock
  switchTo(customer: Customer): void
  /** The customer's name or picture has changed. */
  showProfile(profile: ShownProfile): void
}

const STORED = 'paddock-showcase-customer'
const Context = createContext<Session | undefined>(undefined)

type ProviderProps = {
  sandbox: Sandbox
  welcome: (choose: (customer: Customer) => void) => ReactNode
  children: ReactNode
}

/** Shows `welcome` until somebody is logged in. Everything below it begins anew with another customer. */
export function SessionProvider({ sandbox, welcome, children }: ProviderProps) {
  const [username, setUsername] = useState(() => sessionStorage.getItem(STORED))
  const [changed, setChanged] = useState<Readonly<Record<string, ShownProfile>>>({})
  const customer = sandbox.customers.find((one) => one.username === username)
  const paddock = useMemo(
    () => (customer === undefined ? undefined : openClient(sandbox, customer)),
    [sandbox, customer],
  )
  const session = useMemo<Session | undefined>(() => {
    if (customer === undefined || paddock === undefined) return undefined
    return {
      sandbox: { ...sandbox, customers: sandbox.customers.map((one) => ({ ...one, ...changed[one.username] })) },
      customer,
      paddock,
      switchTo: (chosen) => choose(chosen, setUsername),
      showProfile: ({ name, picture }) =>
        setChanged((before) => ({ ...before, [customer.username]: { name, picture } })),
    }
  }, [sandbox, customer, paddock, changed])
  if (session === undefined) return welcome((chosen) => choose(chosen, setUsername))
  return (
    <Context key={session.customer.username} value={session}>
      {children}
    </Context>
  )
}

function openClient({ apiKey, secret }: Sandbox, { ticket }: Customer): Paddock {
  return new Paddock({ baseUrl: location.origin, apiKey, secret, ticket, fetch: recordedFetch })
}

function choose({ username }: Customer, setUsername: (name: string) => void): void {
  sessionStorage.setItem(STORED, username)
  setUsername(username)
}

export function useSession(): Session {
  const session = useContext(Context)
  if (session === undefined) throw new Error('useSession needs a SessionProvider above it')
  return session
}
