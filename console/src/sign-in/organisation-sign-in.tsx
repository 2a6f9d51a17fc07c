import { redirectToProvider } from './openid.ts'

export function OrganisationSignIn() {
  return (
    <>
      <button type="button" className="primary" onClick={redirectToProvider}>
        Sign in with your organisation
      </button>
      <p className="quiet">or with an operator token:</p>
    </>
  )
}
