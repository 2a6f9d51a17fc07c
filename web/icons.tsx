// The icons of console and showcase. Drawn on 24 × 24 with lines of 2, so that they look like one family.

const PATHS = {
  feed: 'M4 5h16M4 12h16M4 19h10',
  match: 'M3 5h18v14H3zM12 5v14M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  discover: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 4.5 4.5',
  write: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  heart: 'M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.2 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z',
  flag: 'M5 21V4h13l-2.5 4.5L18 13H5',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  play: 'M7 4.5v15l12-7.5z',
  close: 'M5 5l14 14M19 5 5 19',
  back: 'M15 5l-7 7 7 7',
  more: 'M9 5l7 7-7 7',
  expanded: 'M5 9l7 7 7-7',
  next: 'M4 12h15M13 6l6 6-6 6',
  up: 'M12 19V5M5.5 11.5 12 5l6.5 6.5',
  down: 'M12 5v14M5.5 12.5 12 19l6.5-6.5',
  check: 'M4.5 12.5 10 18 20 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  card: 'M3 6h18v12H3zM3 10.5h18M7 15h3',
  scales: 'M12 4v16M7 20h10M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  mute: 'M4 9.5v5h4l5 4.5V5L8 9.5zM16.5 9.5l5 5M21.5 9.5l-5 5',
  block: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.8 5.8l12.4 12.4',
  dots: 'M5 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM12 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM19 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1z',
  trophy: 'M7 4h10v6a5 5 0 0 1-10 0zM7 6H3.5c0 3 1.5 4.5 3.5 4.5M17 6h3.5c0 3-1.5 4.5-3.5 4.5M12 15v4M8 20h8',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
  queue: 'M4 5h16v6H4zM4 15h16M4 19h10',
  chart: 'M4 4v16h16M8.5 16v-5M13 16V8M17.5 16v-7',
  report: 'M6 3h9l4 4v14H6zM10 12h5M10 16h5',
  words: 'M4 18 8.5 6 13 18M5.5 14h6M20 18v-7M20 14.5a3 3 0 1 0 0 .1',
  book: 'M5 4h13v16H7a2 2 0 0 1 0-4h11M9 8h5',
  tip: 'M4 5h16v11h-8l-5 4v-4H4z',
  inbox: 'M4 13 6.5 5h11L20 13v6H4zM4 13h5l1.5 2.5h3L15 13h5',
  out: 'M3 6h12v12H3zM11 12h10M17.5 8.5 21 12l-3.5 3.5',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M15.5 7.5l3 3',
  hook: 'M12 3v4M8.5 7h7v4a3.5 3.5 0 0 1-7 0zM12 14.5V21',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  sliders: 'M4 7h7M15 7h5M13 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 17h3M11 17h9M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg className={filled ? 'icon filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
