import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Api, asRefusal, createApi, createLiveApi, type LiveApi, type Refusal } from '../api/api.ts'
import { type AnswerOf, type OperationName, routeOf } from '../api/operations.ts'
import { discardDrafts } from '../parts/drafts.ts'
import { endSession, readSignInOptions, readSignInRefusal, returnToPage, type SignInOptions } from './openid.ts'

/** In the session storage, which ends with the tab: a token gives access to everything that its role allows. */
export const TOKEN_KEY = 'paddock-operator-token'

type Session = { me: AnswerOf<'readMe'>; api: Api; liveApi: LiveApi; signOut(): void }

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('used outside a session')
  return session
}

/** Whether an operation is allowed for the role and available on this server. */
export function usePermission(): (name: OperationName) => boolean {
  const { me } = useSession()
  return useMemo(() => {
    const calls = new Set(me.calls)
    return (name) => calls.has(routeOf(name))
  }, [me])
}

export type SignIn = {
  session: Session | null
  /** Why there is no session: the last attempt failed or the token stopped working. */
  refusal: Refusal | null
  /** null until the server has answered. */
  options: SignInOptions | null
  /** With a token, or null for the cookie of a person who signed in at the provider. */
  signIn(token: string | null): Promise<void>
  /** Signs in with the token of an earlier visit or the provider's cookie, if there is one. */
  resume(): Promise<void>
}

export function useSignIn(): SignIn {
  const [session, setSession] = useState<Session | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(readSignInRefusal)
  const [options, setOptions] = useState<SignInOptions | null>(null)

  function endLocally(why: Refusal | null): void {
    sessionStorage.removeItem(TOKEN_KEY)
    if (why === null) discardDrafts()
    setSession(null)
    setRefusal(why)
  }

  async function resume(): Promise<void> {
    const stored = sessionStorage.getItem(TOKEN_KEY)
    const found = await readSignInOptions()
    if (stored !== null) await signIn(stored)
    else if (found.signedIn) {
      returnToPage()
      await signIn(null)
    }
    setOptions(found)
  }

  async function signIn(token: string | null): Promise<void> {
    const api = createApi(token, endLocally)
    try {
      const me = await api('readMe')
      if (token !== null) sessionStorage.setItem(TOKEN_KEY, token)
      setRefusal(null)
      const signOut = () => {
        if (token === null) endSession()
        endLocally(null)
      }
      setSession({ me, api, liveApi: createLiveApi(token), signOut })
    } catch (error) {
      setRefusal(asRefusal(error))
    }
  }

  return { session, refusal, options, signIn, resume }
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}
