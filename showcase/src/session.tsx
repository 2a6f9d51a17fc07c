// Who is logged in. Each tab has its own customer, so that two of them can watch each other.

import { Paddock } from '@paddock/client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { recordedFetch } from './recorder.ts'
import type { Customer, Sandbox } from './sandbox.ts'

export type Session = {
  readonly sandbox: Sandbox
  readonly customer: Customer
  readonly paddock: Paddock
  switchTo(customer: Customer): void
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
  const customer = sandbox.customers.find((one) => one.username === username)
  const session = useMemo<Session | undefined>(
    () => (customer === undefined ? undefined : openSession(sandbox, customer, setUsername)),
    [sandbox, customer],
  )
  if (session === undefined) return welcome((chosen) => choose(chosen, setUsername))
  return (
    <Context key={session.customer.username} value={session}>
      {children}
    </Context>
  )
}

function openSession(sandbox: Sandbox, customer: Customer, setUsername: (name: string) => void): Session {
  const { apiKey, secret } = sandbox
  const { ticket } = customer
  const paddock = new Paddock({ baseUrl: location.origin, apiKey, secret, ticket, fetch: recordedFetch })
  return { sandbox, customer, paddock, switchTo: (chosen) => choose(chosen, setUsername) }
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
