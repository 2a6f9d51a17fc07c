// The search of the operator API, and where its results lead.

import { useEffect, useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { asRefusal, type Refusal } from '../api/api.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useSession } from '../sign-in/session.tsx'

export type SearchGroup = AnswerOf<'searchAll'>['groups'][number]

export const GROUP_TITLES: Record<SearchGroup['kind'], string> = {
  customer: 'Customers',
  profile: 'Profiles',
  comment: 'Tips',
  deposit: 'Deposits',
}

export function linkOf({ kind, id }: SearchGroup['items'][number]): string {
  return linkTo(`${kind}s`, id)
}

/** The address of the page of all results. */
export function searchLink(q: string): string {
  return `${linkTo('search')}?${new URLSearchParams({ q })}`
}

const TYPING_PAUSE_MS = 200

type Found = { q: string; groups: readonly SearchGroup[]; refusal?: Refusal }

/** The results for what is typed, after a short pause. The request for an earlier text is aborted. */
export function useSearch(typed: string): { found: Found | undefined; loading: boolean } {
  const { api } = useSession()
  const [found, setFound] = useState<Found>()
  const q = typed.trim()

  useEffect(() => {
    if (q === '') return
    const aborter = new AbortController()
    const { signal } = aborter
    const timer = setTimeout(async () => {
      try {
        const { groups } = await api('searchAll', { query: { q, limit: 5 } }, { signal })
        if (!signal.aborted) setFound({ q, groups })
      } catch (error) {
        if (!signal.aborted) setFound({ q, groups: [], refusal: asRefusal(error) })
      }
    }, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [api, q])

  return { found: q === '' ? undefined : found, loading: q !== '' && found?.q !== q }
}
