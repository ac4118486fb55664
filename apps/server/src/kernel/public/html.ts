import { createHash } from 'node:crypto'
import type { FieldError } from '@outpost/contract/errors'
import { paletteOf, type Palette } from '@outpost/rules/theme/palette'
import { withColour } from '@outpost/rules/theme/brand'
import { themeForHost, type Scheme, type Theme } from '@outpost/rules/theme/themes'
import type { CompanyLook } from '../settings/look.ts'
import type { Answer } from '../types.ts'
import { escape } from 'es-toolkit/string/escape'
import { fieldHtml } from './fields.ts'
import type { PageView } from './page-view.ts'

export interface PageParts {
  status: number
  /** Host of the request, which selects the theme. */
  host: string
  /** Name of the company; absent while the link names none. */
  company?: string
  /** The company's own colour and logo. */
  look?: CompanyLook
  view: PageView
  /** What was sent and refused, to be corrected. */
  values?: Readonly<Record<string, unknown>>
  errors?: readonly FieldError[]
  /** Why the call failed, in one sentence. */
  problem?: string
}

/**
 * A whole page: no request but its own form and the company's logo, under a policy that allows nothing else. No script, but for one line
 * that sends a form on to another program.
 */
export function pageAnswer(parts: PageParts): Answer {
  const ofHost = themeForHost(parts.host.replace(/:\d+$/, ''))
  const { colour, logo } = parts.look ?? {}
  const theme = colour === undefined ? ofHost : withColour(ofHost, colour)
  const style = styleOf(theme)
  const headers = {
    'content-security-policy': policyFor(style, logo !== undefined, parts.view.handOn?.url),
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'cross-origin-resource-policy': 'same-origin',
    ...(parts.view.refreshSeconds === undefined ? {} : { refresh: String(parts.view.refreshSeconds) }),
  }
  return { text: { status: parts.status, type: 'text/html; charset=utf-8', text: htmlOf(parts, theme, style), headers } }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const sendAtOnce = 'document.forms[0].submit()'

const policyFor = (style: string, hasLogo: boolean, handOn: string | undefined) =>
  [
    "default-src 'none'",
    ...(hasLogo ? ["img-src 'self'"] : []),
    `style-src ${hashOf(style)}`,
    // Browsers ask of every redirect behind a form too, and what takes it sends people on, at last back to us.
    ...(handOn === undefined
      ? ["form-action 'self'"]
      : [`script-src ${hashOf(sendAtOnce)}`, `form-action 'self' https: ${new URL(handOn).origin}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

function htmlOf({ company, look, view, values = {}, errors = [], problem }: PageParts, { productName }: Theme, style: string): string {
  const owner = company ?? productName
  const { title, paragraphs = [], facts = {}, picture, links = [] } = view
  const body = [
    `<h1>${escape(title)}</h1>`,
    ...(problem === undefined ? [] : [`<p class="problem" role="alert">${escape(problem)}</p>`]),
    ...paragraphs.map((text) => `<p>${escape(text)}</p>`),
    ...(picture === undefined ? [] : [`<figure role="img" aria-label="${escape(picture.alt)}">${picture.svg}</figure>`]),
    factsHtml(facts),
    ...links.map(({ label, href }) => `<p><a href="${escape(href)}" rel="noreferrer">${escape(label)}</a></p>`),
    formHtml(view, values, errors),
    handOnHtml(view),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · ${escape(owner)}</title>
<style>${style}</style>
</head>
<body>
<header>${look?.logo === undefined ? '' : `<img src="${escape(look.logo)}" alt="">`}${escape(owner)}</header>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
<footer>${escape(productName)}</footer>
</body>
</html>
`
}

function factsHtml(facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(([label, value]) => `<dt>${escape(label)}</dt><dd>${escape(value)}</dd>`)
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`
}

function formHtml({ form }: PageView, values: Readonly<Record<string, unknown>>, errors: readonly FieldError[]): string {
  if (!form) return ''
  const fields = Object.entries(form.fields ?? {}).map(([key, field]) => {
    const error = errors.find((one) => one.field === key)?.message
    return fieldHtml(key, field, { value: values[key], ...(error === undefined ? {} : { error }) })
  })
  const buttons = form.buttons.map(({ label, isMain = false, name, value = '' }) => {
    const sent = name === undefined ? '' : ` name="${escape(name)}" value="${escape(value)}"`
    return `<button type="submit"${isMain ? ' class="main"' : ''}${sent}>${escape(label)}</button>`
  })
  // Fields by multipart: the one kind of form that calls read.
  return `<form method="post" enctype="multipart/form-data">${fields.join('')}<div class="buttons">${buttons.join('')}</div></form>`
}

function handOnHtml({ handOn }: PageView): string {
  if (!handOn) return ''
  const fields = Object.entries(handOn.fields).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  const button = `<div class="buttons"><button type="submit" class="main">${escape(handOn.label)}</button></div>`
  return `<form method="post" action="${escape(handOn.url)}">${fields.join('')}${button}</form><script>${sendAtOnce}</script>`
}

const variables = (palette: Palette) =>
  (['page', 'surface', 'text', 'textSoft', 'line', 'control', 'primary', 'onSolid', 'topBar', 'topBarText', 'error', 'errorSoft'] as const)
    .map((key) => `--${key}:${palette[key]}`)
    .join(';')

function styleOf(theme: Theme): string {
  const of = (scheme: Scheme) => `:root{color-scheme:${scheme};${variables(paletteOf(theme, scheme))}}`
  return `${of('light')}@media (prefers-color-scheme:dark){${of('dark')}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--text);font:16px/1.5 'Segoe UI',system-ui,-apple-system,Roboto,'Helvetica Neue',Arial,sans-serif}
header{display:flex;align-items:center;gap:12px;padding:16px 24px;background:var(--topBar);color:var(--topBarText);font-weight:600;overflow-wrap:anywhere}
header img{max-width:160px;max-height:40px;padding:4px 6px;background:#ffffff;border-radius:8px}
main{width:calc(100% - 24px);max-width:480px;margin:24px auto;padding:24px 20px;background:var(--surface);border:1px solid var(--line);border-radius:16px;overflow-wrap:anywhere}
footer{margin-top:auto;padding:16px;text-align:center;color:var(--textSoft);font-size:14px}
figure{margin:16px 0}figure svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:12px}
.map-ground{fill:var(--page)}.map-line{stroke:var(--line);fill:none}.map-words{fill:var(--textSoft);font:12px system-ui,sans-serif}.map-mark{fill:var(--primary);stroke:var(--surface);stroke-width:3}.map-haze{fill:var(--primary);opacity:.18}.map-trail{stroke:var(--primary);stroke-width:3;fill:none;stroke-linejoin:round}
a{color:var(--primary)}
h1{margin:0 0 12px;font-size:24px;line-height:1.25}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px}dt{color:var(--textSoft)}dd{margin:0}
label,legend{display:block;margin:16px 0 4px;font-weight:600}
fieldset{border:0;margin:0;padding:0}legend{padding:0}fieldset label,.check{display:flex;gap:8px;align-items:center;font-weight:400;min-height:44px;margin:0}
input,textarea,select{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--control);border-radius:8px}
input:not([type=radio],[type=checkbox]),textarea,select{width:100%;min-height:44px;padding:8px 12px}
input[type=radio],input[type=checkbox]{width:20px;height:20px;accent-color:var(--primary)}
.help{margin:4px 0;color:var(--textSoft);font-size:14px}.error{margin:4px 0;color:var(--error);font-size:14px}
.problem{padding:12px;border-radius:8px;background:var(--errorSoft);color:var(--error)}
.buttons{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}
button{flex:1 1 130px;min-height:48px;padding:8px 12px;font:inherit;font-weight:600;color:var(--text);background:var(--surface);border:1px solid var(--control);border-radius:8px;cursor:pointer}
button.main{color:var(--onSolid);background:var(--primary);border-color:var(--primary)}
:focus-visible{outline:3px solid var(--primary);outline-offset:2px}`
}
