// Pages, saved views and actions, which Ctrl-K finds beside what the search of the API finds.

import { linkTo } from '../../../web/route.ts'
import type { OperationName } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { usePermission } from '../sign-in/session.tsx'

export type Command = { id: string; title: string; detail: string; href: string }
/** `words`: by which it is found as well. */
type Found = Command & { words?: string }

/** A screen of the menu. */
export type MenuPage = { name: string; title: string }

const MAX_SHOWN = 6

type Action = { title: string; words: string; call: OperationName; href: string }

const ACTIONS: readonly Action[] = [
  { title: 'Create an application', words: 'new api key', call: 'createApplication', href: linkTo('applications') },
  { title: 'Create a token', words: 'new operator access', call: 'createToken', href: linkTo('tokens') },
  { title: 'Revoke a token', words: 'end operator access', call: 'revokeToken', href: linkTo('tokens') },
  { title: 'Create a webhook', words: 'new endpoint', call: 'createWebhook', href: linkTo('webhooks') },
  { title: 'Check the ledger', words: 'verify books balance', call: 'checkLedger', href: linkTo('ledger') },
  { title: 'Verify the chain of the audit trail', words: 'check', call: 'checkAudit', href: linkTo('audit') },
  {
    title: 'Print the transparency report',
    words: 'publish pdf',
    call: 'readTransparency',
    href: linkTo('transparency'),
  },
  { title: 'Try a text against the words', words: 'test blocked', call: 'testWords', href: linkTo('words') },
  {
    title: 'List new customers',
    words: 'registered last days',
    call: 'listCustomers',
    href: `${linkTo('customers')}?newDays=7`,
  },
  { title: 'List customers in debt', words: 'owe', call: 'listCustomers', href: `${linkTo('customers')}?debt=true` },
]

/** The commands whose words begin with what is typed, word by word. Nothing is loaded before something is typed. */
export function useCommands(q: string, pages: readonly MenuPage[]): Command[] {
  const may = usePermission()
  const typed = q.toLowerCase().split(/\s+/).filter(Boolean)
  const isOffered = (name: OperationName) => typed.length > 0 && may(name)
  const applications = useResource(isOffered('replaceApplicationSecret') ? 'listApplications' : null)
  const webhooks = useResource(isOffered('rotateWebhookSecret') ? 'listWebhooks' : null)
  const views = useResource(isOffered('listViews') ? 'listViews' : null)
  if (typed.length === 0) return []
  const titles = new Map(pages.map(({ name, title }) => [name, title]))
  const all: Found[] = [
    ...pages.map(({ name, title }) => ({ id: `page-${name}`, title, detail: 'Page', href: linkTo(name) })),
    ...(views.answer?.items ?? []).flatMap(({ id, name, address }) => {
      const page = titles.get(address.split(/[?/]/)[0] ?? '')
      return page === undefined
        ? []
        : [{ id: `view-${id}`, title: name, detail: `View of ${page}`, href: `#/${address}` }]
    }),
    ...ACTIONS.filter(({ call }) => may(call)).map((one) => ({ ...one, id: `action-${one.title}`, detail: 'Action' })),
    ...(applications.answer?.items ?? [])
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ apiKey, name }) => ({
        id: `secret-${apiKey}`,
        title: `New secret for ${name}`,
        detail: 'Action on an application',
        words: 'rotate replace the key secret of',
        href: `${linkTo('applications')}?secret=${encodeURIComponent(apiKey)}`,
      })),
    ...(webhooks.answer?.items ?? []).map(({ id, url }) => ({
      id: `webhook-${id}`,
      title: `Rotate the secret of ${url}`,
      detail: 'Action on a webhook',
      words: `replace key new webhook ${url.replace(/\W+/g, ' ')}`,
      href: `${linkTo('webhooks', id)}?rotate=yes`,
    })),
  ]
  return all.filter((one) => matches(one, typed)).slice(0, MAX_SHOWN)
}

function matches({ title, words = '' }: Found, typed: readonly string[]): boolean {
  const own = `${title} ${words}`.toLowerCase().split(/\s+/)
  return typed.every((word) => own.some((one) => one.startsWith(word)))
}
