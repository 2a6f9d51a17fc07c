// What arrives while one looks: the event stream, the number of unread notifications, and a message for each new one.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Notification } from './answers.ts'
import { notificationIcon, notificationLink, notificationText } from './notification-words.ts'
import { useSession } from './session.tsx'
import { useToast } from './toasts.tsx'

type Live = {
  readonly unread: number
  /** Tips of those followed since the feed was loaded. */
  readonly newTips: number
  /** Grows with each event of the customer's money. */
  readonly moneyEvents: number
  /** Grows with each event that concerns the customer's own content. */
  readonly version: number
  forgetNewTips(): void
  refresh(): Promise<void>
  /** Waits for a notification that the stream does not announce: that of a reporter. */
  announce(): void
}

const Context = createContext<Live | undefined>(undefined)
const OF_MONEY = /^(deposit|refund|dispute|withdrawal)\./
/** A notification comes about a quarter of a second after its event; later, if the service is busy. */
const NOTIFICATION_DELAYS_MS = [400, 800, 2_400, 7_200]

export function LiveProvider({ children }: { children: ReactNode }) {
  const { paddock } = useSession()
  const [newTips, setNewTips] = useState(0)
  const [moneyEvents, setMoneyEvents] = useState(0)
  const [version, setVersion] = useState(0)
  const { unread, refresh, announce } = useNotifications()

  useEffect(() => {
    const ended = new AbortController()
    listen(ended.signal).catch(() => undefined)
    async function listen(signal: AbortSignal): Promise<void> {
      for await (const event of paddock.events({ signal })) {
        if (!('subject' in event)) refresh()
        else if (event.type === 'tip.created') setNewTips((before) => before + 1)
        else if (OF_MONEY.test(event.type)) setMoneyEvents((before) => before + 1)
        else {
          setVersion((before) => before + 1)
          announce()
        }
      }
    }
    return () => ended.abort()
  }, [paddock, refresh, announce])

  const live = useMemo<Live>(
    () => ({ unread, newTips, moneyEvents, version, forgetNewTips: () => setNewTips(0), refresh, announce }),
    [unread, newTips, moneyEvents, version, refresh, announce],
  )
  return <Context value={live}>{children}</Context>
}

/** `announce` shows a message for each notification that was not there before. */
function useNotifications() {
  const { paddock } = useSession()
  const toast = useToast()
  const [unread, setUnread] = useState(0)
  const newest = useRef<number | undefined>(undefined)
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const load = useCallback(async (): Promise<Notification[]> => {
    const { numUnread, notification } = await paddock.getMyNotifications({ blockSize: 5 })
    const before = newest.current
    newest.current = notification[0]?.id ?? before ?? 0
    setUnread(numUnread)
    return before === undefined ? [] : notification.filter(({ id, isRead }) => id > before && !isRead)
  }, [paddock])

  const refresh = useCallback(async () => {
    await load().catch(() => undefined)
  }, [load])

  const announce = useCallback(() => {
    clearTimeout(waiting.current)
    const attempt = async (delays: readonly number[]): Promise<void> => {
      const arrived = await load().catch(() => [])
      for (const one of arrived.toReversed())
        toast({ icon: notificationIcon(one), text: notificationText(one), href: notificationLink(one) })
      if (arrived.length === 0) next(delays)
    }
    const next = ([delay, ...others]: readonly number[]) => {
      if (delay !== undefined) waiting.current = setTimeout(() => attempt(others), delay)
    }
    next(NOTIFICATION_DELAYS_MS)
  }, [load, toast])

  useEffect(() => () => clearTimeout(waiting.current), [])
  return { unread, refresh, announce }
}

export function useLive(): Live {
  const live = useContext(Context)
  if (live === undefined) throw new Error('useLive needs a LiveProvider above it')
  return live
}
