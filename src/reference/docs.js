import { buildRequest, curlLine, prettyJson, prettyXml } from './shared.js'

const root = document.documentElement
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const byId = (id) => document.getElementById(id)

// ---- Settings of this tab. A browser may refuse to store them: they then last until the page is left.

/** null: nothing is stored. */
function readSetting(key) {
  try {
    return sessionStorage.getItem(`paddock.${key}`)
  } catch {
    return null
  }
}

function saveSetting(key, value) {
  try {
    sessionStorage.setItem(`paddock.${key}`, value)
  } catch {}
}

// ---- Credentials.

const CREDENTIALS = ['key', 'secret', 'ticket']
const credentialsForm = byId('credentials-form')
const sandbox = byId('use-sandbox').dataset

function credentials() {
  return Object.fromEntries(CREDENTIALS.map((name) => [name, credentialsForm.elements[name].value.trim()]))
}

function setCredentials(values, status) {
  for (const name of CREDENTIALS) credentialsForm.elements[name].value = values[name] ?? ''
  byId('credentials-status').textContent = status
  credentialsChanged()
}

function credentialsChanged() {
  const now = credentials()
  for (const name of CREDENTIALS) saveSetting(name, now[name])
  const application = now.key === '' ? 'without a key' : `as ${now.key}`
  for (const form of tryForms) {
    const { ticket } = form.dataset
    const customer = ticket === 'none' ? '' : now.ticket === '' ? ', without a ticket' : ', with your ticket'
    const link = Object.assign(document.createElement('a'), { href: '#credentials', textContent: 'Change' })
    form.querySelector('.sent-as').replaceChildren(`Sent ${application}${customer}. `, link)
    showCurl(form)
  }
}

// ---- XML or JSON, for the whole page at once.

function setRepresentation(as) {
  root.dataset.as = as
  saveSetting('as', as)
  for (const button of all('.switch button')) button.setAttribute('aria-pressed', String(button.dataset.as === as))
  for (const form of tryForms) {
    form.elements.accept.value = as
    showCurl(form)
  }
}

// ---- Requests.

const tryForms = all('.try form')

function requestOf(form, { as, examples }) {
  const { method, path, ticket } = form.dataset
  const fields = all('[data-from]', form).map(({ name, value, dataset }) => ({
    name,
    from: dataset.from,
    value: value === '' && examples ? dataset.example : value,
  }))
  return buildRequest({ method, path, ticketRule: ticket }, fields, as, `application/${form.elements.accept.value}`)
}

/** Shows the sandbox's credentials until the reader enters some. The reader's secret is copied but not shown. */
function curlOf(form, shown) {
  const own = credentials()
  const as = own.key === '' && own.secret === '' && own.ticket === '' ? sandbox : own
  const masked = shown && as.secret !== '' && as.secret !== sandbox.secret ? { ...as, secret: '••••••••' } : as
  const { picture } = form.elements
  const file = picture === undefined ? '' : (picture.files[0]?.name ?? picture.dataset.default)
  return curlLine(requestOf(form, { as: masked, examples: true }), location.origin, file)
}

function showCurl(form) {
  byId(form.dataset.curl).firstElementChild.textContent = curlOf(form, true)
}

async function send(form) {
  const { method, address, headers, form: formBody } = requestOf(form, { as: credentials(), examples: false })
  const { picture } = form.elements
  const outcome = form.querySelector('.outcome')
  const button = form.querySelector('[type=submit]')
  outcome.className = 'outcome'
  outcome.textContent = 'Sending…'
  button.disabled = true
  const start = performance.now()
  try {
    const body = picture === undefined ? formBody || undefined : await pictureOf(picture)
    const response = await fetch(address, { method, headers, body, cache: 'no-store', credentials: 'omit' })
    const text = await response.text()
    showAnswer(form, { response, text, milliseconds: performance.now() - start })
  } catch (error) {
    form.querySelector('.result').hidden = true
    outcome.classList.add('bad')
    outcome.textContent = `No response: ${error.message}`
  } finally {
    button.disabled = false
  }
}

/** The chosen picture, or the service's default picture. */
async function pictureOf({ files, dataset }) {
  return files[0] ?? (await fetch(dataset.default)).blob()
}

function showAnswer(form, { response, text, milliseconds }) {
  const outcome = form.querySelector('.outcome')
  // A wallet's fault has HTTP status 200: the body decides.
  const fault = faultOf(text)
  const size = text === '' ? 'no body' : `${new TextEncoder().encode(text).length} bytes`
  const status = fault === null ? `${response.status} ${response.statusText}` : `${fault} · HTTP ${response.status}`
  outcome.classList.add(response.ok && fault === null ? 'good' : 'bad')
  outcome.textContent = `${status} · ${Math.round(milliseconds)} ms · ${size}`
  form.querySelector('.headers').textContent = [...response.headers].map((pair) => pair.join(': ')).join('\n')
  const body = form.querySelector('.body')
  const type = response.headers.get('content-type') ?? ''
  const language = type.includes('json') ? 'json' : type.includes('xml') ? 'xml' : ''
  body.hidden = text === ''
  highlight(body.firstElementChild, pretty(text, language), language)
  form.querySelector('.result').hidden = false
}

/** The fault as text; null if the response is none. */
function faultOf(text) {
  if (!/^(<[?][^>]*>\s*<|{")whoFaults/.test(text)) return null
  const field = (name) => new RegExp(`${name}(?:>|":")([^<"]*)`).exec(text)?.[1]
  return `Fault ${field('faultCode')}: ${field('faultString')}`
}

function pretty(text, language) {
  try {
    return language === 'json' ? prettyJson(text) : language === 'xml' ? prettyXml(text) : text
  } catch {
    return text
  }
}

// ---- Syntax colours. The service's XML contains quotation marks only around the values of attributes.

const TOKENS = {
  xml: /(?<tag><[?/]?[\w.:-]+|[?/]?>)|(?<key>[\w.:-]+=)(?="[^"]*")|(?<value>"[^"]*")/g,
  json: /(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<value>"(?:[^"\\]|\\.)*")/g,
}

function highlight(element, text, language) {
  const parts = []
  let end = 0
  for (const match of language === '' ? [] : text.matchAll(TOKENS[language])) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined)
    const span = Object.assign(document.createElement('span'), { className: `token-${kind}`, textContent: match[0] })
    parts.push(text.slice(end, match.index), span)
    end = match.index + match[0].length
  }
  element.replaceChildren(...parts, text.slice(end))
}

// ---- Copying. Browsers allow the clipboard on secure pages only; elsewhere the text is selected instead.

async function copy(button) {
  const source = byId(button.dataset.copies)
  const form = tryForms.find(({ dataset }) => dataset.curl === source.id)
  try {
    await navigator.clipboard.writeText(form === undefined ? source.textContent : curlOf(form, false))
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

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button?.matches('.copy')) copy(button)
  else if (button?.matches('.switch button')) setRepresentation(button.dataset.as)
  else if (button?.id === 'use-sandbox') setCredentials(sandbox, 'Sandbox credentials set.')
  else if (button?.id === 'clear-credentials') setCredentials({}, 'Credentials cleared.')
  else if (button?.id === 'menu') toggleMenu(button.getAttribute('aria-expanded') === 'false')
  else if (event.target.closest('#side a')) toggleMenu(false)
})

document.addEventListener('submit', (event) => {
  event.preventDefault()
  if (tryForms.includes(event.target)) send(event.target)
})

document.addEventListener('input', ({ target }) => {
  if (target === filter) applyFilter()
  else if (target.form === credentialsForm) credentialsChanged()
  else if (target.name === 'accept') setRepresentation(target.value)
  else if (tryForms.includes(target.form)) showCurl(target.form)
})

document.addEventListener('keydown', (event) => {
  if (event.target === filter) filterKey(event)
  else if (event.key === 'Escape') toggleMenu(false)
  else if (event.key === '/' && !event.target.closest('input, select, textarea')) {
    event.preventDefault()
    toggleMenu(true)
    filter.focus()
  }
})

root.classList.add('scripted')
for (const code of all('code[data-language]')) highlight(code, code.textContent, code.dataset.language)
const first = byId('first-request').firstElementChild
first.textContent = first.textContent.replace(/'http:\/\/localhost:\d+/, () => `'${location.origin}`)
const defaults = credentialsForm.dataset.sandbox === 'yes' ? sandbox : {}
setCredentials(Object.fromEntries(CREDENTIALS.map((name) => [name, readSetting(name) ?? defaults[name]])), '')
setRepresentation(readSetting('as') === 'json' ? 'json' : 'xml')
markCurrentSection()
// Hiding elements has moved the section that the address names.
if (location.hash !== '') byId(location.hash.slice(1))?.scrollIntoView()
