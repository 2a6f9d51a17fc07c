// What an operator has opened last: subjects by their addresses, such as "customers/21". Stored in this browser for each
// operator, without names.

import { useEffect } from 'react'
import { linkTo, useRoute } from '../../../web/route.ts'
import { useSession } from '../sign-in/session.tsx'

export type Recent = { screen: string; id: string }

const MAX_RECENT = 10
const keyOf = (operator: string) => `paddock-recent ${operator}`

function readRecent(operator: string): Recent[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(operator)) ?? '[]')
  } catch {
    return []
  }
}

/** The newest first. */
export function useRecent(): Recent[] {
  return readRecent(useSession().me.name)
}

/** `id` undefined: the screen is of no subject. */
export function useNoteOpened(screen: string | undefined, id: string | undefined): void {
  const { me } = useSession()
  useEffect(() => {
    if (screen === undefined || id === undefined || id === '') return
    const others = readRecent(me.name).filter((one) => one.screen !== screen || one.id !== id)
    localStorage.setItem(keyOf(me.name), JSON.stringify([{ screen, id }, ...others].slice(0, MAX_RECENT)))
  }, [me.name, screen, id])
}

/** The subject of the address, where it was not found. */
export function useForgetMissing(isMissing: boolean): void {
  const { me } = useSession()
  const [screen, id] = useRoute().path
  useEffect(() => {
    if (!isMissing) return
    const others = readRecent(me.name).filter((one) => one.screen !== screen || one.id !== id)
    localStorage.setItem(keyOf(me.name), JSON.stringify(others))
  }, [me.name, isMissing, screen, id])
}

export function recentLink({ screen, id }: Recent): string {
  return linkTo(screen, id)
}
