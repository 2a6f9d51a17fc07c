// Faults of layout that neither axe nor roles notice, found by the boxes of texts, controls and drawings. It runs in the page:
// test/harness/geometry.ts sends the text of this file.

/** In pixels: boxes are rounded, and letters reach a little over theirs. */
const NEAR = 2
const CONTROLS = 'button, .button, input, select, textarea, img, meter, .badge, svg.icon'
/** Code may scroll sideways: a wrapped line of it is misread. */
const MAY_SCROLL = 'pre, pre *, textarea, input, [data-scrolls-sideways]'

/** Decoration is inert: nobody reads it. */
const NOT_READ = 'script, style, noscript, option, title, [inert]'

export function geometryFaults() {
  const known = new Map()
  const texts = shownTexts(known)
  const controls = shownControls(known)
  return [
    ...new Set([
      ...overlaps(texts, controls),
      ...texts.flatMap(cutText),
      ...controls.flatMap(cutPlaceholder),
      ...[...texts, ...controls].flatMap(outsideOfCard),
      ...drawingsOutside(known),
      ...scrolledSideways(known),
      ...coveredForGood(),
    ]),
  ]
}

/**
 * What an element has from its ancestors. `layer`: the innermost that is above the page, which it may cover. `card`: the
 * innermost with edges. `cutters`: those that hide what is outside of them, up to the first that scrolls to it (`scroller`).
 */
function factsOf(element, known) {
  if (element === null) return { isForReadersOnly: false, layer: null, card: null, cutters: [], scroller: null }
  const found = known.get(element)
  if (found !== undefined) return found
  const style = getComputedStyle(element)
  const box = element.getBoundingClientRect()
  const parent = factsOf(element.parentElement, known)
  const isLayer = isOwnLayer(element, style)
  const around = style.position === 'absolute' ? factsOf(element.offsetParent, known) : parent
  const cuts = { x: isCutting(style.overflowX), y: isCutting(style.overflowY) }
  const isPage = element === document.body || element === document.documentElement
  const scrolls = !isPage && canScroll(element, style)
  const isFixed = style.position === 'fixed'
  const facts = {
    element,
    style,
    box,
    isForReadersOnly:
      parent.isForReadersOnly || ((cuts.x || style.clipPath !== 'none') && box.width <= 1.5 && box.height <= 1.5),
    layer: isLayer ? element : parent.layer,
    parentCard: isLayer ? null : parent.card,
    card: isCard(element, style) ? { element, box } : isLayer ? null : parent.card,
    scroller: scrolls ? { element, box } : isFixed ? null : around.scroller,
    cutters: scrolls || isFixed ? [] : around.cutters,
  }
  if ((cuts.x || cuts.y) && !isPage) facts.cutters = [...facts.cutters, { element, style, box, cuts }]
  known.set(element, facts)
  return facts
}

const isCutting = (overflow) => overflow === 'hidden' || overflow === 'clip'

function canScroll(element, style) {
  const isWide = /auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1
  return isWide || (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1)
}

function isOwnLayer(element, style) {
  if (style.position === 'fixed' || style.position === 'sticky') return true
  if (element.matches('dialog[open], [popover]')) return true
  return style.position === 'absolute' && style.zIndex !== 'auto'
}

function isCard(element, style) {
  if (/^(inline|contents)$/.test(style.display) || element.matches('html, body, main, svg *')) return false
  const hasEdges = parseFloat(style.borderLeftWidth) > 0 && parseFloat(style.borderRightWidth) > 0
  const isTinted = !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor)
  return hasEdges || isTinted || style.boxShadow !== 'none' || element.matches('td, th')
}

// ---- What there is

/** Each line of each text, with the box of its letters: without the space above and below them. */
function shownTexts(known) {
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    const words = node.data.trim().replace(/\s+/g, ' ')
    if (words === '' || element.closest(NOT_READ) || !isShown(element)) continue
    const facts = factsOf(element, known)
    if (facts.isForReadersOnly) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue
      const box = lettersIn(line)
      texts.push({ node, element, words, facts, card: facts.card, box, seen: seenPart(box, facts) })
    }
  }
  return texts
}

const lettersIn = (line) => new DOMRect(line.x, line.y + 0.25 * line.height, line.width, 0.5 * line.height)

function shownControls(known) {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((one) => isShown(one) && !one.closest(NOT_READ))
    .flatMap((element) => {
      const facts = factsOf(element, known)
      if (facts.isForReadersOnly || facts.box.width < 3) return []
      const words = element.getAttribute('aria-label') ?? (element.textContent || element.name || element.alt || '')
      return [{ element, words, facts, card: facts.parentCard, box: facts.box, seen: seenPart(facts.box, facts) }]
    })
}

function isShown(element) {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
}

/** What is left of a box where ancestors hide or scroll the rest; null: nothing. */
function seenPart(box, { cutters, scroller }) {
  const limits = [...cutters.map(({ box: limit }) => limit), ...(scroller === null ? [] : [scroller.box])]
  const left = Math.max(box.left, ...limits.map((limit) => limit.left))
  const right = Math.min(box.right, ...limits.map((limit) => limit.right))
  const top = Math.max(box.top, ...limits.map((limit) => limit.top))
  const bottom = Math.min(box.bottom, ...limits.map((limit) => limit.bottom))
  return right - left < 1 || bottom - top < 1 ? null : new DOMRect(left, top, right - left, bottom - top)
}

// ---- Faults

/** No two texts overlap in the same layer, and no text a control that it is not in. */
function overlaps(texts, controls) {
  const faults = []
  const sorted = [...texts, ...controls].filter(({ seen }) => seen !== null).sort((a, b) => a.seen.top - b.seen.top)
  for (const [index, one] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next++) {
      const other = sorted[next]
      if (other.seen.top > one.seen.bottom - NEAR) break
      if (meet(one, other)) faults.push(`overlap: ${say(one)} and ${say(other)}`)
    }
  }
  return faults
}

function meet(one, other) {
  if (one.node === undefined && other.node === undefined) return false
  if (one.node === other.node || one.facts.layer !== other.facts.layer) return false
  if (one.node === undefined && one.element.contains(other.element)) return false
  if (other.node === undefined && other.element.contains(one.element)) return false
  // A count hangs at the corner of its icon.
  if ([one, other].some(({ element }) => element.matches('svg.icon')) && [one, other].some(hangs)) return false
  return overlap(one.seen, other.seen)
}

function overlap(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  return width > NEAR && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > NEAR
}

const hangs = ({ facts }) => facts.style.position === 'absolute'

/** No text is cut, unless all of it is in a title, or its ellipsis is in a link or button that leads to it. */
function cutText(text) {
  const { box, facts, element, words } = text
  if (facts.scroller === null && (box.left < -NEAR || box.right > innerWidth + NEAR) && facts.cutters.length === 0)
    return [`off the page: ${say(text)}`]
  if (element.closest('svg [clip-path]')) return []
  const isTitled = element.closest('[title]')?.getAttribute('title').replace(/\s+/g, ' ').includes(words)
  let left = box
  // The innermost first: what it hides, no other can.
  for (const { element: cutter, style, cuts, box: limit } of facts.cutters.toReversed()) {
    const isCut =
      (cuts.x && (left.left < limit.left - NEAR || left.right > limit.right + NEAR)) ||
      (cuts.y && (left.top < limit.top - NEAR || left.bottom > limit.bottom + NEAR))
    if (!isCut) continue
    const isMarked = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
    if (!isTitled && !(isMarked && leadsOn(element))) return [`cut: ${say(text)} by ${path(cutter)}`]
    left = seenPart(left, { cutters: [{ box: limit }], scroller: null })
    if (left === null) return []
  }
  return []
}

/** In a link or button, or in an item of a list that has one. */
const leadsOn = (element) =>
  element.closest('a, button, summary') !== null || element.closest('li, article')?.querySelector('a[href]') != null

const measure = document.createElement('canvas').getContext('2d')

/** What an empty field says fits. What is written can be moved in it, and a select opens. */
function cutPlaceholder({ element, facts: { style } }) {
  if (!element.matches('input[placeholder]') || element.value !== '') return []
  measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  const isCut = measure.measureText(element.placeholder).width > room + NEAR
  return isCut ? [`cut: "${element.placeholder}" in ${path(element)}`] : []
}

function reachesOut(box, limit) {
  const isTooWide = box.left < limit.left - NEAR || box.right > limit.right + NEAR
  return isTooWide || box.top < limit.top - NEAR || box.bottom > limit.bottom + NEAR
}

/** Nothing lies outside of the card that it is in. */
function outsideOfCard(one) {
  const { card, box, facts } = one
  if (card === null || (facts.layer !== null && card.element.contains(facts.layer) && card.element !== facts.layer))
    return []
  const isCut = facts.cutters.some(({ element }) => card.element.contains(element))
  const { box: limit } = card
  const isScrolled = facts.scroller !== null && card.element.contains(facts.scroller.element)
  return reachesOut(box, limit) && !isCut && !isScrolled ? [`outside: ${say(one)} of ${path(card.element)}`] : []
}

const SHAPES = 'path, line, rect, circle, ellipse, polyline, polygon, text, image, use'

/** No drawing leaves its box. What a clip-path cuts is meant to end there. */
function drawingsOutside(known) {
  return [...document.querySelectorAll('svg:not(svg svg, .icon)')].filter(isShown).flatMap((svg) => {
    const { box: limit } = factsOf(svg, known)
    return [...svg.querySelectorAll(SHAPES)].flatMap((shape) => {
      // Letters beside the end of an axis reach out of a drawing that may be left; its card is their limit.
      if (shape.matches('text') && factsOf(svg, known).style.overflow === 'visible') return []
      if (shape.closest('defs, clipPath, mask, pattern, symbol, [clip-path]') || !isShown(shape)) return []
      const whole = shape.getBoundingClientRect()
      const box = shape.matches('text') ? lettersIn(whole) : whole
      return reachesOut(box, limit) ? [`drawing: ${shape.tagName} ${shape.textContent.trim()} leaves ${path(svg)}`] : []
    })
  })
}

/** Neither the page nor a part of it scrolls sideways. */
function scrolledSideways(known) {
  const page = document.documentElement
  const faults = []
  if (page.scrollWidth > innerWidth) {
    const widest = [...document.querySelectorAll('body *')].find(
      (one) => one.getBoundingClientRect().right > innerWidth + 1,
    )
    faults.push(`sideways: the page, by ${page.scrollWidth - innerWidth} px: ${widest ? path(widest) : ''}`)
  }
  for (const element of document.querySelectorAll('body *')) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.matches(MAY_SCROLL) || !isShown(element)) continue
    const { style, isForReadersOnly } = factsOf(element, known)
    if (!/auto|scroll/.test(style.overflowX) || isForReadersOnly) continue
    const limit = element.getBoundingClientRect().right
    const widest = [...element.querySelectorAll('*')].find((one) => one.getBoundingClientRect().right > limit + 1)
    faults.push(`sideways: ${path(element)}: ${widest ? path(widest) : ''}`)
  }
  return faults
}

/** Scrolled to its ends, the page shows all its text beside what floats above it. */
function coveredForGood() {
  const main = document.querySelector('main')
  const page = main !== null && main.scrollHeight > main.clientHeight + 1 ? main : document.scrollingElement
  if (document.querySelector('dialog[open]') !== null) return []
  const before = page.scrollTop
  const faults = [0, page.scrollHeight].flatMap((end) => {
    page.scrollTop = end
    const known = new Map()
    const isBottom = page.scrollTop > 0 || page.scrollHeight <= page.clientHeight + 1
    const floats = [...document.querySelectorAll('body *')].filter(
      (one) => factsOf(one, known).style.position === 'fixed' && isShown(one) && !factsOf(one, known).isForReadersOnly,
    )
    const surfaces = floats
      // What takes half of a phone was opened, and is closed again.
      .filter((one) => factsOf(one, known).box.width * factsOf(one, known).box.height < 0.4 * innerWidth * innerHeight)
      .flatMap((one) => [one, ...one.querySelectorAll('*')])
      .filter((one) => isCard(one, factsOf(one, known).style) && isShown(one))
      .map((one) => ({ element: one, box: factsOf(one, known).box }))
      .filter(({ box }) => box.width > 0 && (isBottom ? box.bottom > innerHeight / 2 : box.top < innerHeight / 2))
    return shownTexts(known)
      .filter(({ facts }) => facts.layer === null)
      .flatMap((text) =>
        surfaces
          .filter((surface) => text.seen !== null && overlap(surface.box, text.seen))
          .map((surface) => [text, surface]),
      )
      .map(([text, surface]) => `covered: ${say(text)} by ${path(surface.element)}`)
  })
  page.scrollTop = before
  return faults
}

// ---- In words

function say({ words, element }) {
  return `"${words.slice(0, 40)}" (${path(element)})`
}

/** The element and two around it: class names of modules have a readable part. */
function path(element) {
  const names = []
  for (let one = element; one !== null && one !== document.body && names.length < 3; one = one.parentElement) {
    const classes = typeof one.className === 'string' ? one.className : (one.getAttribute('class') ?? '')
    const id = one.id === '' ? '' : `#${one.id}`
    names.unshift(
      `${one.tagName.toLowerCase()}${id}${classes.trim() === '' ? '' : `.${classes.trim().replace(/\s+/g, '.')}`}`,
    )
  }
  return names.join(' > ')
}
