import { useEffect, useState } from 'react'
import { Mark } from '../../../web/mark.tsx'
import { DecisionSummary } from '../moderation/decision-tray.tsx'
import { type Decisions, useDecisions } from '../moderation/decisions.ts'
import { TextField } from '../parts/fields.tsx'
import { Problem } from '../parts/problem.tsx'
import { OrganisationSignIn } from './organisation-sign-in.tsx'
import type { SignIn } from './session.tsx'

type SignInProps = Pick<SignIn, 'refusal' | 'signIn'> & { offersOpenId: boolean; decisions: Decisions }

export function SignInScreen({ refusal, signIn, offersOpenId, decisions }: SignInProps) {
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
      <Mark />
      <h1>
        Paddock <span>console</span>
      </h1>
      <UnsavedDecisions decisions={decisions} />
      {offersOpenId && <OrganisationSignIn />}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextField
          label="Operator token"
          hint="Admins create tokens. The token is stored in this tab only, until you close it."
          value={token}
          onChange={setToken}
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
        />
        {refusal && <Problem refusal={refusal} />}
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      <p className="quiet">
        For programs: <a href="/docs">API reference</a>
      </p>
    </main>
  )
}

/** Decisions that could not be saved because the session ended. */
function UnsavedDecisions({ decisions }: { decisions: Decisions }) {
  const failed = useDecisions(decisions).filter(({ state }) => state === 'failed')
  if (failed.length === 0) return null
  return (
    <section className="problem" role="alert" aria-label="Unsaved decisions">
      <p>
        <strong>{failed.length === 1 ? 'One decision was' : `${failed.length} decisions were`} not saved.</strong> Sign
        in again to send {failed.length === 1 ? 'it' : 'them'}.
      </p>
      <ul>
        {failed.map((decision) => (
          <li key={decision.key}>
            <DecisionSummary decision={decision} /> <span className="quiet">Decided by {decision.by}.</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
