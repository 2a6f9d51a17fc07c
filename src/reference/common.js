// What every reference page does: navigation, filter, copying, syntax colours.

export const root = document.documentElement
export const all = (selector, within = document) => [...within.querySelectorAll(selector)]
export const byId = (id) => document.getElementById(id)
export const tryForms = all('.try form')

/** `examples`: those stand for what the reader has left empty. */
export function fieldsOf(form, examples) {
  return all('[data-from]', form).map(({ name, value, dataset }) => ({
    name,
    from: dataset.from,
    value: value === '' && examples ? dataset.example : value,
    client: dataset.client,
    kind: dataset.kind,
  }))
}

// ---- Syntax colours. The service's XML contains quotation marks only around the values of attributes.

// Each expression takes whatever it began, coloured or not, so that no part of a long text is read twice.

const TOKENS = {
  xml: /(?<tag><[?/]?[\w.:-]+|[?/]?>)|(?<name>[\w.:-]+=?)|(?<value>"[^"]*"?)/g,
  json: /(?<value>"(?:[^"\\]|\\.)*"?)(?<colon>\s*:)?/g,
  typescript: /(?<value>'(?:[^'\\]|\\.)*'?)|(?<name>\w+)(?<colon>:)?/g,
}

const KEYWORDS = new Set('await catch const export for from if import instanceof new of throw try'.split(' '))

/** '' for what has the colour of the text around it. */
function kindOf({ tag, name, value, colon }, next) {
  if (tag !== undefined || KEYWORDS.has(name)) return 'tag'
  if (colon !== undefined || (name?.endsWith('=') && next === '"')) return 'key'
  return value === undefined ? '' : 'value'
}

export function highlight(element, text, language) {
  const parts = []
  let end = 0
  for (const match of language === '' ? [] : text.matchAll(TOKENS[language])) {
    const kind = kindOf(match.groups, text[match.index + match[0].length])
    if (kind === '') continue
    const textContent = match.groups.tag ?? match.groups.name ?? match.groups.value
    const span = Object.assign(document.createElement('span'), { className: `token-${kind}`, textContent })
    parts.push(text.slice(end, match.index), span)
    end = match.index + textContent.length
  }
  element.replaceChildren(...parts, text.slice(end))
}

// ---- Copying. Browsers allow the clipboard on secure pages only; elsewhere the text is selected instead.

async function copy(button, textOf) {
  const source = byId(button.dataset.copies)
  const form = tryForms.find(({ dataset }) => dataset.curl === source.id)
  try {
    await navigator.clipboard.writeText(form === undefined ? source.textContent : textOf(form))
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(source)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

// ---- Navigation.

const filter = byId('filter')
const listed = all('[data-words]')

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const item of listed) item.hidden = !words.every((word) => item.dataset.words.includes(word))
  for (const list of all('#side ul')) {
    if (list.querySelector('[data-words]') === null) continue
    const empty = list.querySelector('li:not([hidden])') === null
    list.hidden = empty
    list.previousElementSibling.hidden = empty
  }
  const found = listed.filter(({ hidden }) => !hidden)
  byId('filtered').textContent = filter.value === '' ? '' : `${found.length} found`
  return found
}

function filterKey(event) {
  if (event.key === 'Enter') {
    event.preventDefault()
    applyFilter()[0]?.querySelector('a').click()
  } else if (event.key === 'Escape') {
    filter.value = ''
    applyFilter()
  }
}

function toggleMenu(open) {
  byId('menu').setAttribute('aria-expanded', String(open))
  byId('side').classList.toggle('open', open)
}

/** Marks the section in view in the sidebar. */
function markCurrentSection() {
  const links = new Map(all('#side a').map((link) => [link.hash.slice(1), link]))
  const seen = new IntersectionObserver(
    (entries) => {
      const current = entries.find(({ isIntersecting }) => isIntersecting)?.target.id
      if (current === undefined) return
      for (const [id, link] of links) {
        if (id !== current) link.removeAttribute('aria-current')
        else if (!link.hasAttribute('aria-current')) {
          link.setAttribute('aria-current', 'true')
          link.scrollIntoView({ block: 'nearest' })
        }
      }
    },
    { rootMargin: '-20% 0px -75% 0px' },
  )
  for (const id of links.keys()) seen.observe(byId(id))
}

/**
 * Call it last: it hides elements, and moves to the section that the address names. `copied` returns the curl command of a
 * form, `sent` is called when a form is submitted.
 */
export function startPage({ copied, sent }) {
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button')
    if (button?.matches('.copy')) copy(button, copied)
    else if (button?.id === 'menu') toggleMenu(button.getAttribute('aria-expanded') === 'false')
    else if (event.target.closest('#side a')) toggleMenu(false)
  })
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    if (tryForms.includes(event.target)) sent(event.target)
  })
  document.addEventListener('keydown', pageKey)
  filter.addEventListener('input', applyFilter)
  root.classList.add('scripted')
  showAddress()
  for (const code of all('code[data-language]')) highlight(code, code.textContent, code.dataset.language)
  markCurrentSection()
  // Hiding elements has moved the section that the address names.
  if (location.hash !== '') byId(location.hash.slice(1))?.scrollIntoView()
}

/** These are samples without a form, which would show the address. */
function showAddress() {
  for (const { firstElementChild: code } of all('#first-request, #client-setup')) {
    code.textContent = code.textContent.replace(/'https?:\/\/[^/'\s]+/, () => `'${location.origin}`)
  }
}

function pageKey(event) {
  if (event.target === filter) filterKey(event)
  else if (event.key === 'Escape') toggleMenu(false)
  else if (event.key === '/' && !event.target.closest('input, select, textarea')) {
    event.preventDefault()
    toggleMenu(true)
    filter.focus()
  }
}
