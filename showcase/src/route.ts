// The current route: the part of the address after #, such as #/tips/14 or #/discover?q=ascot.

import { useSyncExternalStore } from 'react'

export type Route = { path: string[]; query: URLSearchParams; text: string }

function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '')
  const [path = '', query = ''] = text.split('?', 2)
  return { path: path.split('/').filter((part) => part !== ''), query: new URLSearchParams(query), text }
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash))
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function linkTo(...path: (string | number)[]): string {
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}`
}

export function openRoute(...path: (string | number)[]): void {
  location.hash = linkTo(...path)
}
