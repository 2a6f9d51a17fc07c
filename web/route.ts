// The current route: the part of the address after #, such as #/profiles/12 or #/queue?kind=comment.

import { useSyncExternalStore } from 'react'

/** `text`: without the page of a list, which is a place on the same screen. */
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
    text: withoutPage(path, query),
  }
}

function withoutPage(path: string, query: string): string {
  const others = query.split('&').filter((field) => field !== '' && !field.startsWith('page='))
  return others.length === 0 ? path : `${path}?${others.join('&')}`
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

const REPLACED = 'routereplaced'

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  addEventListener(REPLACED, changed)
  return () => {
    removeEventListener('hashchange', changed)
    removeEventListener(REPLACED, changed)
  }
}

/** The page of the list that is shown, from 1. It replaces the address, so that Back leads to the screen before. */
export function openPage(page: number): void {
  const [path = '', query = ''] = location.hash.split('?', 2)
  const fields = new URLSearchParams(query)
  if (page > 1) fields.set('page', String(page))
  else fields.delete('page')
  history.replaceState(history.state, '', fields.size === 0 ? path || '#/' : `${path}?${fields}`)
  dispatchEvent(new Event(REPLACED))
}

export function linkTo(...path: (string | number)[]): string {
  return `#/${path.map((part) => encodeURIComponent(part)).join('/')}`
}

export function openRoute(...path: (string | number)[]): void {
  location.hash = linkTo(...path)
}
