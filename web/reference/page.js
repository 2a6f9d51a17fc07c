// The script of a reference: navigation, the search, and “Try it”.

import { credentialHeaders, showCredentials, startCredentials } from './credentials.js'
import { all, byId, root } from './dom.js'
import { buildRequest, clientCall, curlLine } from './request.js'
import { choose, highlight, showSamples, startSamples } from './samples.js'
import { sendRequest } from './send.js'

// ---- “Try it”: the form of the page, if it has one.

const tryForm = () => byId('try')

/** `examples`: those stand for what the reader has left empty. */
function fieldsOf(form, examples) {
  return all('[data-from]', form).map(({ name, value, dataset }) => ({
    ...{ name, from: dataset.from, client: dataset.client, kind: dataset.kind },
    value: value === '' && examples ? dataset.example : value,
  }))
}

/** `use` as in credentials.js. */
function requestOf(form, use) {
  const { method, path, headers } = form.dataset
  const { accept } = form.elements
  const accepted = accept === undefined ? [] : [['accept', `application/${accept.value}`]]
  const own = credentialHeaders(headers.split(' '), use)
  return buildRequest({ method, path }, fieldsOf(form, use !== 'send'), [...accepted, ...own])
}

/** '': the request has no picture. */
function pictureName({ elements: { picture } }) {
  return picture === undefined ? '' : (picture.files[0]?.name ?? picture.dataset.default)
}

function curlOf(form, use) {
  return curlLine(requestOf(form, use), location.origin, pictureName(form))
}

function showRequest() {
  const form = tryForm()
  if (form === null) return
  const { operation } = form.dataset
  byId(`${operation}-curl`).firstElementChild.textContent = curlOf(form, 'show')
  const sample = byId(`${operation}-typescript`)
  if (sample === null) return
  const call = clientCall(form.dataset, fieldsOf(form, true), location.origin, pictureName(form))
  highlight(sample.firstElementChild, call, 'typescript')
}

async function send(form) {
  const request = requestOf(form, 'send')
  if (form.dataset.confirm !== '' && !(await isConfirmed(request, form))) return
  const { picture } = form.elements
  // The chosen picture, or the service's default picture.
  const body = async () =>
    picture === undefined
      ? request.body || undefined
      : (picture.files[0] ?? (await fetch(picture.dataset.default)).blob())
  await sendRequest(form, request, body)
}

function isConfirmed({ method, address }, { dataset, elements: { amount } }) {
  const dialog = byId('confirmation')
  byId('confirmation-request').textContent = `${method} ${address}`
  const sum = amount === undefined || amount.value === '' ? '' : ` Amount: ${amount.value}.`
  byId('confirmation-effect').textContent = dataset.confirm + sum
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true })
  })
}

byId('confirm-request')?.addEventListener('click', () => byId('confirmation').close('send'))
byId('cancel-request')?.addEventListener('click', () => byId('confirmation').close())

document.addEventListener('submit', (event) => {
  if (!event.target.matches('#try')) return
  event.preventDefault()
  send(event.target)
})

document.addEventListener('input', ({ target }) => {
  if (target.name === 'accept') choose('as', target.value)
  // Not by its id: a field of that name hides it.
  if (target.form?.matches('#try')) showRequest()
})

// ---- The search.

const filter = byId('filter')
let index

async function applyFilter() {
  index ??= fetch('/docs/search.json').then((response) => response.json())
  const words = filter.value.toLowerCase().split(/\s+/)
  const texts = await index
  const items = all('#side li')
  for (const item of items) {
    const { pathname } = item.firstElementChild
    item.hidden = !words.every((word) => texts[pathname].includes(word))
  }
  for (const list of all('#side ul')) {
    list.hidden = list.querySelector('li:not([hidden])') === null
    list.previousElementSibling.hidden = list.hidden
  }
  const found = items.filter(({ hidden }) => !hidden)
  byId('filtered').textContent = filter.value === '' ? '' : `${found.length} found`
  return found
}

async function pageKey(event) {
  if (event.target === filter && event.key === 'Enter') {
    event.preventDefault()
    const [first] = await applyFilter()
    first?.firstElementChild.click()
  } else if (event.target === filter && event.key === 'Escape') {
    filter.value = ''
    applyFilter()
  } else if (event.key === 'Escape') toggleMenu(false)
  else if (event.key === '/' && !event.target.closest('input, select, textarea')) {
    event.preventDefault()
    toggleMenu(true)
    filter.focus()
  }
}

filter.addEventListener('input', applyFilter)
document.addEventListener('keydown', pageKey)

// ---- Navigation. Links replace the main part of the page, so that a token, which nothing stores, is entered once. A browser without
// the Navigation API loads whole pages.

function toggleMenu(open) {
  byId('menu').setAttribute('aria-expanded', String(open))
  byId('side').classList.toggle('open', open)
}

window.navigation?.addEventListener('navigate', (event) => {
  const { origin, pathname } = new URL(event.destination.url)
  const isPage = origin === location.origin && /^\/(docs|guides)(\/[\w-]*)?$/.test(pathname)
  if (!isPage || !event.canIntercept || event.hashChange || event.navigationType === 'reload') return
  event.intercept({ focusReset: 'manual', handler: () => load(event.destination.url, event.signal) })
})

async function load(address, signal) {
  const response = await fetch(address, { signal })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const main = page.getElementById('content')
  // Something else than a page of the reference, such as an error.
  if (main === null) return location.reload()
  byId('content').replaceWith(main)
  document.title = page.title
  showPage()
  main.focus({ preventScroll: true })
}

/** Old addresses name a section of one page: the start page has a link with that id. */
function followOldAnchor() {
  const id = decodeURIComponent(location.hash.slice(1))
  const link = byId(id) ?? byId(id.split('-')[0])
  if (location.pathname.replace(/\/$/, '') === '/docs' && link?.matches('main a')) location.replace(link.href)
}

function showPage() {
  for (const link of all('#side li a')) {
    const isCurrent = link.pathname === location.pathname
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    if (isCurrent) link.scrollIntoView({ block: 'nearest' })
  }
  toggleMenu(false)
  showSamples()
  const form = tryForm()
  if (form?.elements.accept !== undefined) form.elements.accept.value = root.dataset.as
  showCredentials()
  showRequest()
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button')
  if (button?.id === 'menu') toggleMenu(button.getAttribute('aria-expanded') === 'false')
  else if (button?.matches('.use-example')) {
    const field = byId(button.dataset.fills)
    field.value = field.dataset.example
    showRequest()
  }
})

window.addEventListener('hashchange', followOldAnchor)
startSamples({
  copied: (id) => (id === `${tryForm()?.dataset.operation}-curl` ? curlOf(tryForm(), 'copy') : undefined),
  chosen() {
    const form = tryForm()
    if (form?.elements.accept !== undefined) form.elements.accept.value = root.dataset.as
    showRequest()
  },
})
startCredentials(showRequest)
root.classList.add('scripted')
showPage()
followOldAnchor()
// Hiding elements has moved the section that the address names.
if (location.hash !== '') byId(location.hash.slice(1))?.scrollIntoView()
