import { useEffect, useEffectEvent, useState } from 'react'
import { useRetryOnReturn } from '../../web/connection.ts'
import { NO_RESPONSE } from './api/api.ts'
import { LiveProvider } from './api/live.tsx'
import { createDecisions } from './moderation/decisions.ts'
import { Progress } from './parts/basics.tsx'
import { setDraftOwner } from './parts/drafts.ts'
import { Notices } from './parts/notices.tsx'
import { Shell } from './shell.tsx'
import { SessionProvider, useSignIn } from './sign-in/session.tsx'
import { SignInScreen } from './sign-in/sign-in-screen.tsx'

export function App() {
  const { session, refusal, options, signIn, resume } = useSignIn()
  // Outlives sessions: decisions that failed because one ended can be sent in the next.
  const [decisions] = useState(createDecisions)

  useEffect(() => {
    if (session === null) return
    decisions.signIn(session.api, session.me.name)
    setDraftOwner(session.me.name)
  }, [session, decisions])

  const start = useEffectEvent(resume)
  useEffect(() => {
    start()
  }, [])

  useRetryOnReturn(session === null && refusal?.status === NO_RESPONSE ? resume : undefined)

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
