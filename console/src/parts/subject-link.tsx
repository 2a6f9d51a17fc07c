import type { ReactNode } from 'react'
import { linkTo } from '../../../web/route.ts'
import type { OperationName } from '../api/operations.ts'
import { usePermission } from '../sign-in/session.tsx'

/** The screen of each kind of subject, and the call that it needs. */
const SCREENS: Readonly<Record<string, { screen: string; call: OperationName }>> = {
  comment: { screen: 'comments', call: 'getModeratedComment' },
  customer: { screen: 'customers', call: 'getCustomer' },
  deposit: { screen: 'deposits', call: 'getDeposit' },
  profile: { screen: 'profiles', call: 'getModeratedProfile' },
  withdrawal: { screen: 'withdrawals', call: 'getWithdrawal' },
  webhook: { screen: 'webhooks', call: 'getWebhook' },
}

/** A link to the subject, or only its text where there is no screen or the role may not open it. */
export function SubjectLink({ kind, id, children }: { kind: string | null; id: string; children: ReactNode }) {
  const may = usePermission()
  const target = kind === null ? undefined : SCREENS[kind]
  if (target === undefined || id === '' || !may(target.call)) return children
  return <a href={linkTo(target.screen, id)}>{children}</a>
}
