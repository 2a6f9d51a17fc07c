// Samples: their colours, copying them, and which of two is shown.

import { all, byId, readSetting, root, saveSetting } from './dom.js'

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

/** A text of another language has no colours. */
export function highlight(element, text, language) {
  const parts = []
  let end = 0
  for (const match of language in TOKENS ? text.matchAll(TOKENS[language]) : []) {
    const kind = kindOf(match.groups, text[match.index + match[0].length])
    if (kind === '') continue
    const textContent = match.groups.tag ?? match.groups.name ?? match.groups.value
    const span = Object.assign(document.createElement('span'), { className: `token-${kind}`, textContent })
    parts.push(text.slice(end, match.index), span)
    end = match.index + textContent.length
  }
  element.replaceChildren(...parts, text.slice(end))
}

/** Fills in the samples of a page that has just been shown. */
export function showSamples() {
  // A guide has the address of the service, which this browser may reach by another.
  for (const { firstElementChild: code } of all('#first-request, #client-setup')) {
    code.textContent = code.textContent.replace(/'https?:\/\/[^/'\s]+/, () => `'${location.origin}`)
  }
  for (const code of all('code[data-language]')) highlight(code, code.textContent, code.dataset.language)
  for (const what of ['as', 'language']) showChoice(what)
}

// ---- Copying. Browsers allow the clipboard on secure pages only; elsewhere the text is selected instead.

/** A text without prompts is copied as it is; of one with prompts the commands, without their answers. */
function commandsIn(text) {
  const commands = [...text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command]) => command)
  return commands.length === 0 ? text : commands.join('\n')
}

async function copy(button, textOf) {
  const source = byId(button.dataset.copies)
  try {
    await navigator.clipboard.writeText(textOf(source.id) ?? commandsIn(source.textContent))
    button.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(source)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

// ---- XML or JSON (`as`), and curl or TypeScript (`language`).

function showChoice(what) {
  for (const button of all(`button[data-${what}]`)) {
    button.setAttribute('aria-pressed', String(button.dataset[what] === root.dataset[what]))
  }
}

export function choose(what, value) {
  root.dataset[what] = value
  saveSetting('localStorage', what, value)
  showChoice(what)
}

/** `copied(id)`: what is copied in place of the sample's text, if anything; `chosen` is called after a choice. */
export function startSamples({ copied, chosen }) {
  root.dataset.as = readSetting('localStorage', 'as') === 'json' ? 'json' : 'xml'
  root.dataset.language = readSetting('localStorage', 'language') === 'typescript' ? 'typescript' : 'curl'
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    if (button?.matches('.copy')) copy(button, copied)
    for (const what of ['as', 'language']) {
      if (button?.dataset[what] === undefined) continue
      choose(what, button.dataset[what])
      chosen()
    }
  })
}
