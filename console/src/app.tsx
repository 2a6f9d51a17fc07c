import { useEffect } from 'react'
import { Progress } from './parts/basics.tsx'
import { Notices } from './parts/notices.tsx'
import { SignInScreen } from './screens/sign-in.tsx'
import { SessionProvider, useSignIn } from './session.tsx'
import { Shell } from './shell.tsx'

export function App() {
  const { session, refusal, kept, signIn } = useSignIn()

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the token of an earlier visit
  useEffect(() => {
    if (kept !== null) signIn(kept)
  }, [])

  if (session !== null) {
    return (
      <SessionProvider session={session}>
        <Notices>
          <Shell />
        </Notices>
      </SessionProvider>
    )
  }
  return kept !== null ? <Progress label="Signing in" /> : <SignInScreen refusal={refusal} signIn={signIn} />
}
