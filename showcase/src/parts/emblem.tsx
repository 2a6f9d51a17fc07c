// A small mark in front of a team, a player or a horse: a shield, a ball or a jockey's silks, in colours that follow from the
// name, so that the same one looks the same everywhere.

import styles from './emblem.module.css'

type Drawing = {
  readonly shape: string
  /** Parts of the shape in the second colour; one of them is chosen. */
  readonly parts: readonly string[]
}

const SHIELD: Drawing = {
  shape: 'M3 2h14v8c0 5-3 7-7 8-4-1-7-3-7-8z',
  parts: ['M10 2h7v8c0 5-3 7-7 8z', 'M3 7h14v4H3z', 'M8 2h4v15.4l-2 .6-2-.6z', 'M3 2h14L5 14.6C3.7 13.4 3 12 3 10z'],
}
const BALL: Drawing = {
  shape: 'M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  parts: [
    'M4 4.8c3 3 3 7.4 0 10.4a8 8 0 0 1 0-10.4z',
    'M10 2a8 8 0 0 1 0 16z',
    'M2.4 8h15.2a8 8 0 0 1 0 4H2.4a8 8 0 0 1 0-4z',
  ],
}
const SILKS: Drawing = {
  shape: 'M7 5a3 3 0 0 1 6 0zM7 6h6l3.5 1.5L19 13l-3 1.5V19H4v-4.5L1 13l2.5-5.5z',
  parts: ['M4 10h12v3.5H4z', 'M8.5 6h3v13h-3z', 'M10 6h3l3.5 1.5L19 13l-3 1.5V19h-6z', 'M7 5a3 3 0 0 1 6 0z'],
}
const DRAWINGS: Readonly<Record<number, Drawing>> = { 10: SHIELD, 21: SILKS, 30: BALL }

/** Clear of each other, of light pages and of dark ones. */
const COLOURS = ['#c0392b', '#1f6fb2', '#1e8e5a', '#d98e04', '#7b3fa0', '#d35400', '#2c6e7f', '#b83280']
const SECOND = ['#ffffff', '#f4d35e', '#1c2430', '#9fd3c7']

export function coloursOf(name: string): { first: string; second: string; part: number } {
  let hash = 7
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) as number)) >>> 0
  return {
    first: COLOURS[hash % COLOURS.length] as string,
    second: SECOND[(hash >>> 5) % SECOND.length] as string,
    part: (hash >>> 9) % 12,
  }
}

/** Nothing where the outcome is neither a team nor a runner: "Draw", "Yes". */
export function Emblem({ sportId, event, name }: { sportId: number; event: string; name: string }) {
  const drawing = DRAWINGS[sportId]
  const sides = event.split(' v ')
  if (drawing === undefined || (sides.length === 2 && !sides.includes(name))) return null
  const { first, second, part } = coloursOf(name)
  return (
    <svg className={styles.emblem} viewBox="0 0 20 20" aria-hidden="true">
      <path fill={first} d={drawing.shape} />
      <path fill={second} d={drawing.parts[part % drawing.parts.length]} />
    </svg>
  )
}
