import type { Formats } from '@outpost/rules/formats'
import { isFormula } from '@outpost/rules/spreadsheet'
import { escape } from 'es-toolkit/string/escape'
import type { ColumnKind } from '../definition.ts'
import type { Cell } from './cells.ts'

/** What a cell looks like: its column's kind, of money the decimals of its currency where they are not two, and text that stays text when it is edited. */
export type CellStyle = ColumnKind | 'money0' | 'money3' | 'money4' | 'quoted'

const usual: Record<CellStyle, string> = {
  text: 'General',
  boolean: 'General',
  number: '#,##0.##',
  money: '#,##0.00',
  money0: '#,##0',
  money3: '#,##0.000',
  money4: '#,##0.0000',
  percent: '0.0%',
  date: 'd mmm yyyy',
  dateTime: 'd mmm yyyy hh:mm',
  duration: '[h]:mm:ss',
  quoted: 'General',
}
const styles = Object.keys(usual) as CellStyle[]
/** Numbers of cell styles: 0 plain, then one a style, then the same in bold. */
const numberOf = (style: CellStyle, isBold: boolean) => 1 + styles.indexOf(style) + (isBold ? styles.length : 0)

/** The style of an amount with so many decimals. */
export const moneyStyle = (decimals: number): CellStyle => styles.find((style) => style === `money${decimals}`) ?? 'money'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Everything up to the first row: a frozen heading, widths. */
export function sheetStart(widths: readonly number[], hasHeading: boolean): string {
  const pane = hasHeading ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : ''
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')
  return `${declaration}<worksheet ${main}><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns}</cols><sheetData>`
}

/** Everything after the last row; with columns, a filter on the heading. */
export function sheetEnd(filteredColumns: number): string {
  const filter = filteredColumns > 0 ? `<autoFilter ref="A1:${letters(filteredColumns - 1)}1"/>` : ''
  return `</sheetData>${filter}</worksheet>`
}

/** One row of values, each in its style. */
export function dataRow(number: number, cellStyles: readonly CellStyle[], cells: readonly Cell[], isBold = false): string {
  let text = `<row r="${number}">`
  for (let index = 0; index < cellStyles.length; index += 1) {
    const cell = cells[index] ?? null
    // Text that begins like a formula is marked as text, as a typed apostrophe does: it is read as it is, and stays text when somebody edits the cell.
    const style = typeof cell === 'string' && isFormula(cell) ? 'quoted' : (cellStyles[index] ?? 'text')
    text += cellXml(`${letters(index)}${number}`, cell, numberOf(style, isBold))
  }
  return `${text}</row>`
}

function cellXml(at: string, cell: Cell, style: number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}" s="${style}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b" s="${style}"><v>${cell ? 1 : 0}</v></c>`
  if (cell instanceof Date) return `<c r="${at}" s="${style}"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  return `<c r="${at}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(cell.slice(0, 32_767))}</t></is></c>`
}

const known: string[] = []

/** Column letters: 0 is A, 26 is AA. */
function letters(index: number): string {
  return (known[index] ??= (index >= 26 ? letters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26)))
}

// What XML cannot hold at all is left out: control characters, half surrogate pairs, the two non-characters.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function escapeXml(text: string): string {
  return /[&<>"\0-\x1f\ud800-\udfff\ufffe\uffff]/.test(text) ? escape(text.replace(unwritable, '')) : text
}

/** The fixed parts of a workbook with these sheets, by their path in the package. Days look as the company writes them; separators are the reader's own. */
export function packageParts(sheetNames: readonly string[], { date }: Pick<Formats, 'date'>): Record<string, string> {
  const numbered = sheetNames.map((name, index) => ({ name, number: index + 1 }))
  const type = (part: string, kind: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relations}/${kind}" Target="${target}"/>`
  const wrapRelations = (inner: string) =>
    `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type(
      '/xl/workbook.xml',
      'sheet.main',
    )}${type('/xl/styles.xml', 'styles')}${numbered.map(({ number }) => type(`/xl/worksheets/sheet${number}.xml`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': wrapRelations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${declaration}<workbook ${main} xmlns:r="${relations}"><sheets>${numbered
      .map(({ name, number }) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': wrapRelations(
      numbered.map(({ number }) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`)).join('') +
        relation(numbered.length + 1, 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': stylesXml(date),
  }
}

function stylesXml(date: Formats['date']): string {
  const day = date.toLowerCase()
  const formats = { ...usual, date: day, dateTime: `${day} hh:mm` }
  const numbers = styles.map((one, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(formats[one])}"/>`).join('')
  const style = (format: number, font: number, more = '') =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"${more}/>`
  const byStyle = (font: number) =>
    styles.map((one, index) => style(164 + index, font, one === 'quoted' ? ' quotePrefix="1"' : '')).join('')
  return (
    `${declaration}<styleSheet ${main}><numFmts count="${styles.length}">${numbers}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${1 + 2 * styles.length}">${style(0, 0)}${byStyle(0)}${byStyle(1)}</cellXfs></styleSheet>`
  )
}
