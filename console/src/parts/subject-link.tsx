import type { ReactNode } from 'react'
import { linkTo } from '../route.ts'
import { usePermission } from '../session.tsx'

/** The screen of each kind of subject, and the call that it needs. */
const SCREENS: Readonly<Record<string, { screen: string; call: string }>> = {
  comment: { screen: 'comments', call: 'GET /moderation/comments/{id}' },
  customer: { screen: 'customers', call: 'GET /customers/{id}' },
  deposit: { screen: 'deposits', call: 'GET /deposits/{paymentId}' },
  profile: { screen: 'profiles', call: 'GET /moderation/profiles/{id}' },
  webhook: { screen: 'webhooks', call: 'GET /webhooks/{id}' },
}

/** A link to the subject, or only its text where there is no screen or the role may not open it. */
export function SubjectLink({ kind, id, children }: { kind: string | null; id: string; children: ReactNode }) {
  const may = usePermission()
  const target = kind === null ? undefined : SCREENS[kind]
  if (target === undefined || id === '' || !may(target.call)) return children
  return <a href={linkTo(target.screen, id)}>{children}</a>
}
