import { useEffect, useState } from 'react'
import { createDecisions } from './decisions.ts'
import { setDraftOwner } from './drafts.ts'
import { LiveProvider } from './live.tsx'
import { Progress } from './parts/basics.tsx'
import { Notices } from './parts/notices.tsx'
import { SignInScreen } from './screens/sign-in.tsx'
import { SessionProvider, useSignIn } from './session.tsx'
import { Shell } from './shell.tsx'

export function App() {
  const { session, refusal, options, signIn, resume } = useSignIn()
  // Outlives sessions: decisions that failed because one ended can be sent in the next.
  const [decisions] = useState(createDecisions)

  useEffect(() => {
    if (session === null) return
    decisions.signIn(session.api, session.me.name)
    setDraftOwner(session.me.name)
  }, [session, decisions])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    resume()
  }, [])

  if (session !== null) {
    return (
      <SessionProvider session={session}>
        <Notices>
          <LiveProvider>
            <Shell decisions={decisions} />
          </LiveProvider>
        </Notices>
      </SessionProvider>
    )
  }
  if (options === null) return <Progress label="Signing in" />
  return <SignInScreen refusal={refusal} signIn={signIn} offersOpenId={options.openId} decisions={decisions} />
}
