import { useEffect } from 'react'
import { Progress } from './parts/basics.tsx'
import { Notices } from './parts/notices.tsx'
import { SignInScreen } from './screens/sign-in.tsx'
import { SessionProvider, useSignIn } from './session.tsx'
import { Shell } from './shell.tsx'

export function App() {
  const { session, refusal, options, signIn, begin } = useSignIn()

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what there is of an earlier visit
  useEffect(() => {
    begin()
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
  if (options === null) return <Progress label="Signing in" />
  return <SignInScreen refusal={refusal} signIn={signIn} offersOpenId={options.openId} />
}
