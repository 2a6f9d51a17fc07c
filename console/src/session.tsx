import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Api, apiWith, asRefusal, type Me, type Refusal } from './api.ts'

/** Only for this tab, and gone with it: a token opens everything that its role may do. */
const KEPT_AS = 'paddock-operator-token'

export type Session = { me: Me; api: Api; signOut(): void }

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('used outside a session')
  return session
}

/** Whether the token may make a call such as "POST /tokens": its role allows it and this server has it. */
export function useMay(): (call: string) => boolean {
  const { me } = useSession()
  return useMemo(() => {
    const calls = new Set(me.calls)
    return (call) => calls.has(call)
  }, [me])
}

export type SignIn = {
  session: Session | null
  /** Why there is none, when the last try failed or the token stopped working. */
  refusal: Refusal | null
  /** A token of an earlier visit, to be tried at once. */
  kept: string | null
  signIn(token: string): Promise<void>
}

export function useSignIn(): SignIn {
  const [session, setSession] = useState<Session | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [kept, setKept] = useState(() => sessionStorage.getItem(KEPT_AS))

  function leave(why: Refusal | null): void {
    sessionStorage.removeItem(KEPT_AS)
    setKept(null)
    setSession(null)
    setRefusal(why)
  }

  async function signIn(token: string): Promise<void> {
    const api = apiWith(token, leave)
    try {
      const me = await api<Me>('GET', '/me')
      sessionStorage.setItem(KEPT_AS, token)
      setRefusal(null)
      setSession({ me, api, signOut: () => leave(null) })
    } catch (error) {
      setKept(null)
      setRefusal(asRefusal(error))
    }
  }

  return { session, refusal, kept, signIn }
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}
