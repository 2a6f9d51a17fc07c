import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Api, asRefusal, createApi, type Me, type Refusal } from './api.ts'
import { discardDrafts } from './drafts.ts'
import { endSession, readSignInOptions, readSignInRefusal, returnToPage, type SignInOptions } from './openid.ts'

/** Only for this tab, and gone with it: a token opens everything that its role may do. */
export const TOKEN_KEY = 'paddock-operator-token'

export type Session = { me: Me; api: Api; signOut(): void }

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('used outside a session')
  return session
}

/** Whether the token may make a call such as "POST /tokens": its role allows it and this server has it. */
export function usePermission(): (call: string) => boolean {
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
  /** null until the server has told. */
  options: SignInOptions | null
  /** With a token, or null for the cookie of a person who signed in at the provider. */
  signIn(token: string | null): Promise<void>
  /** Tries what there is of an earlier visit, or of the provider. */
  resume(): Promise<void>
}

export function useSignIn(): SignIn {
  const [session, setSession] = useState<Session | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(readSignInRefusal)
  const [options, setOptions] = useState<SignInOptions | null>(null)

  function leave(why: Refusal | null): void {
    sessionStorage.removeItem(TOKEN_KEY)
    if (why === null) discardDrafts()
    setSession(null)
    setRefusal(why)
  }

  async function begin(): Promise<void> {
    const kept = sessionStorage.getItem(TOKEN_KEY)
    const found = await readSignInOptions()
    if (kept !== null) await signIn(kept)
    else if (found.signedIn) {
      returnToPage()
      await signIn(null)
    }
    setOptions(found)
  }

  async function signIn(token: string | null): Promise<void> {
    const api = createApi(token, leave)
    try {
      const me = await api<Me>('GET', '/me')
      if (token !== null) sessionStorage.setItem(TOKEN_KEY, token)
      setRefusal(null)
      const signOut = () => {
        if (token === null) endSession()
        leave(null)
      }
      setSession({ me, api, signOut })
    } catch (error) {
      setRefusal(asRefusal(error))
    }
  }

  return { session, refusal, options, signIn, resume: begin }
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}
