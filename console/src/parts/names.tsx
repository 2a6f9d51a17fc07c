// The names of customers and profiles beside their ids. What a page shows is requested together, once for each id.

import { useEffect, useSyncExternalStore } from 'react'
import type { Api } from '../api/api.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { Id } from './id.tsx'
import { SubjectLink } from './subject-link.tsx'

type Kind = 'customer' | 'profile'
type NameStore = ReturnType<typeof createNames>

/** As many as the server takes at once. */
const MAX_IDS = 100

function createNames(api: Api) {
  const names = new Map<string, string>()
  const listeners = new Set<() => void>()
  const wanted = new Set<string>()

  /** Ids of one kind. Those without a name are not requested again. */
  function take(kind: Kind): string[] {
    const keys = [...wanted].filter((key) => key.startsWith(kind)).slice(0, MAX_IDS)
    for (const key of keys) {
      wanted.delete(key)
      names.set(key, '')
    }
    return keys.map((key) => key.slice(kind.length + 1))
  }

  async function load(): Promise<void> {
    const [customers, profiles] = [take('customer'), take('profile')]
    if (wanted.size > 0) setTimeout(load)
    try {
      const found = await api('readNames', { query: { customers: customers.join(), profiles: profiles.join() } })
      for (const { id, name } of found.customers) names.set(`customer ${id}`, name)
      for (const { id, name } of found.profiles) names.set(`profile ${id}`, name)
    } catch {
      // The next page that shows them tries again.
      for (const id of customers) names.delete(`customer ${id}`)
      for (const id of profiles) names.delete(`profile ${id}`)
    }
    for (const listener of listeners) listener()
  }

  return {
    get: (key: string) => names.get(key) ?? '',
    want(key: string): void {
      if (names.has(key) || wanted.has(key)) return
      if (wanted.size === 0) setTimeout(load)
      wanted.add(key)
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const stores = new WeakMap<Api, NameStore>()

function storeOf(api: Api): NameStore {
  const store = stores.get(api) ?? createNames(api)
  stores.set(api, store)
  return store
}

/** '' while it is not known, and where there is none. */
export function useName(kind: Kind, id: string | null): string {
  const { api } = useSession()
  const isOffered = usePermission()('readNames')
  const store = storeOf(api)
  const key = `${kind} ${id}`
  useEffect(() => {
    if (isOffered && id !== null && id !== '') store.want(key)
  }, [store, key, id, isOffered])
  return useSyncExternalStore(store.subscribe, () => store.get(key))
}

/** "alice (customer 21)", for a confirmation. */
export function useCustomerText(id: string): string {
  const name = useName('customer', id)
  return name === '' ? `customer ${id}` : `${name} (customer ${id})`
}

const NOUNS: Record<Kind, string> = { customer: 'Customer', profile: 'Profile' }

/** "alice"; "Customer 21" while it is not known, and where there is none. */
export function useTitle(kind: Kind, id: string): string {
  return useName(kind, id) || `${NOUNS[kind]} ${id}`
}

/** As `useTitle`. */
export function NameOf({ kind, id }: { kind: Kind; id: string }) {
  return useTitle(kind, id)
}

/** The name beside an id. */
export function Name({ kind, id }: { kind: Kind; id: string }) {
  const name = useName(kind, id)
  return name === '' ? null : <span className="quiet"> {name}</span>
}

type NamedLinkProps = {
  kind: Kind
  id: string
  /** The word before it names its kind: without a name, the number is enough. */
  isLabelled?: true
}

/** The name of a customer or profile as a link, with the id small beside it; without a name "Customer 21". */
export function NamedLink({ kind, id, isLabelled }: NamedLinkProps) {
  const name = useName(kind, id)
  const number = isLabelled ? id : `${NOUNS[kind]} ${id}`
  return (
    <span>
      <SubjectLink kind={kind} id={id}>
        {name || number}
      </SubjectLink>{' '}
      <Id value={id} isBeside={name === ''} />
    </span>
  )
}
