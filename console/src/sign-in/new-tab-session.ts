// A session belongs to a tab. A tab that was opened from a link of another one (Ctrl-click, middle click, the browser's
// menu) requests its session over a channel of this origin; the token is never stored where it would outlive the tab. A
// page answers only for a link that was just used to open a tab, and once for each use.

import { TOKEN_KEY } from './session.tsx'

const CHANNEL = 'paddock-session'
/** Long enough to choose from the browser's menu. */
const LINK_VALID_MS = 30_000
/** A hidden tab of a busy machine takes its time; who opened the tab by hand waits so long for the sign-in page. */
const REPLY_TIMEOUT_MS = 1_500

type Message = { request: string; address: string } | { reply: string; token: string }

/** Called when a tab starts. */
export function shareSessionWithNewTabs(): void {
  const channel = new BroadcastChannel(CHANNEL)
  let opened: { address: string; until: number }[] = []

  function recordLink(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.('a')
    const opensTab = event.type !== 'click' || event.ctrlKey || event.metaKey || event.shiftKey
    if (link && opensTab) opened.push({ address: link.href, until: Date.now() + LINK_VALID_MS })
  }
  for (const type of ['click', 'auxclick', 'contextmenu'] as const) addEventListener(type, recordLink, true)

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const token = sessionStorage.getItem(TOKEN_KEY)
    if (!('request' in data) || token === null) return
    opened = opened.filter(({ until }) => until > Date.now())
    const link = opened.find(({ address }) => address === data.address)
    if (link === undefined) return
    opened = opened.filter((one) => one !== link)
    channel.postMessage({ reply: data.request, token } satisfies Message)
  })
}

/** Called before the first screen. A tab at the bare address was not opened from a link. */
export async function requestSessionFromOpener(): Promise<void> {
  if (sessionStorage.getItem(TOKEN_KEY) !== null || location.hash === '') return
  const channel = new BroadcastChannel(CHANNEL)
  const request = Array.from(crypto.getRandomValues(new Uint32Array(4))).join('-')
  const token = await new Promise<string | null>((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('reply' in data && data.reply === request) resolve(data.token)
    })
    channel.postMessage({ request, address: location.href } satisfies Message)
    setTimeout(() => resolve(null), REPLY_TIMEOUT_MS)
  })
  channel.close()
  if (token !== null) sessionStorage.setItem(TOKEN_KEY, token)
}
