import { useEffect, useState } from 'react'
import { Field } from '../parts/basics.tsx'
import { OrganisationSignIn } from '../parts/organisation-sign-in.tsx'
import { Problem } from '../parts/problem.tsx'
import type { SignIn } from '../session.tsx'

type SignInProps = Pick<SignIn, 'refusal' | 'signIn'> & { offersOpenId: boolean }

export function SignInScreen({ refusal, signIn, offersOpenId }: SignInProps) {
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Paddock console'
  }, [])

  async function send(): Promise<void> {
    setBusy(true)
    await signIn(token.trim())
    setBusy(false)
  }

  return (
    <main className="sign-in">
      <h1>
        Paddock <span>console</span>
      </h1>
      {offersOpenId && <OrganisationSignIn />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Field label="Operator token" hint="An admin makes tokens. It is kept in this tab only, until you close it.">
          {(ids) => (
            <input
              {...ids}
              type="password"
              required
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        {refusal && <Problem refusal={refusal} />}
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  )
}
