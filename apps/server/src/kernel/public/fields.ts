import { escape } from 'es-toolkit/string/escape'
import type { PageField } from './page-view.ts'

interface Given {
  value?: unknown
  error?: string
}

const inputTypes: Readonly<Partial<Record<PageField['kind'], string>>> = { email: 'email', phone: 'tel', number: 'number', date: 'date' }

/** A field as plain HTML, with its help and with what was wrong in what was sent. */
export function fieldHtml(key: string, field: PageField, { value, error }: Given): string {
  const about = [
    ...(field.help === undefined ? [] : [{ id: `${key}-help`, html: `<p class="help" id="${key}-help">${escape(field.help)}</p>` }]),
    ...(error === undefined ? [] : [{ id: `${key}-error`, html: `<p class="error" id="${key}-error">${escape(error)}</p>` }]),
  ]
  const state = [
    ...(about.length === 0 ? [] : [`aria-describedby="${about.map(({ id }) => id).join(' ')}"`]),
    ...(error === undefined ? [] : ['aria-invalid="true"']),
    ...(field.required ? ['required'] : []),
  ].join(' ')
  return `${control(key, field, { text: typeof value === 'string' ? value : '', state })}${about.map(({ html }) => html).join('')}`
}

function control(
  key: string,
  { kind, label, maxLength, options = [] }: PageField,
  { text, state }: { text: string; state: string },
): string {
  const [name, most] = [`name="${key}"`, maxLength === undefined ? '' : ` maxlength="${maxLength}"`]
  if (kind === 'boolean')
    return `<label class="check"><input type="checkbox" ${name} value="true"${text === 'true' ? ' checked' : ''} ${state}>${escape(label)}</label>`
  if (kind === 'choice') {
    const choices = options.map(({ value, label: shown }) => {
      const isChosen = String(value) === text ? ' checked' : ''
      return `<label><input type="radio" ${name} value="${escape(String(value))}"${isChosen} ${state}>${escape(shown)}</label>`
    })
    return `<fieldset><legend>${escape(label)}</legend>${choices.join('')}</fieldset>`
  }
  const caption = `<label for="${key}">${escape(label)}</label>`
  if (kind === 'longText') return `${caption}<textarea id="${key}" ${name} rows="4"${most} ${state}>${escape(text)}</textarea>`
  return `${caption}<input id="${key}" ${name} type="${inputTypes[kind] ?? 'text'}" value="${escape(text)}"${most} ${state}>`
}
