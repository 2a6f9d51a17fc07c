// The current route: the part of the address after #, such as #/profiles/12 or #/queue?kind=comment.

import { useSyncExternalStore } from 'react'

export type Route = { path: string[]; query: URLSearchParams; text: string }

function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '')
  const [path = '', query = ''] = text.split('?', 2)
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(query),
    text,
  }
}

/** A hand-typed address may contain a lone %. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
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
