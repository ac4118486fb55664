import { Radio, Select } from 'antd'
import { t } from '../../session/labels.ts'
import { ImportTable } from '../../view/import/ImportTable.tsx'
import type { Duplicates, Field, Sheet } from './run.ts'

interface ColumnChoiceProps {
  sheet: Sheet
  mapping: readonly (Field | null)[]
  duplicates: Duplicates
  isFixed: boolean
  onMapping: (mapping: readonly (Field | null)[]) => void
  onDuplicates: (duplicates: Duplicates) => void
}

const noField = ''

/** What each column of a file is, beside its first values, and what becomes of people who are clients already. */
export function ColumnChoice({
  sheet: { headings, fields, rows },
  mapping,
  duplicates,
  isFixed,
  onMapping,
  onDuplicates,
}: ColumnChoiceProps) {
  const options = [
    { value: noField, label: t('Leave out') },
    ...fields.map(({ key, label }) => ({ value: key as string, label: t(label) })),
  ]
  const samples = (index: number) =>
    rows
      .slice(0, 20)
      .flatMap(({ cells }) => cells[index] || [])
      .slice(0, 3)
      .join(', ')
  /** A field is one column: taking it for another gives the former up. */
  const choose = (index: number, value: string) => {
    const field = fields.find(({ key }) => key === value)?.key ?? null
    onMapping(mapping.map((own, at) => (at === index ? field : own === field ? null : own)))
  }
  return (
    <>
      <ImportTable label={t('Columns')} headings={[t('Column'), t('Values'), t('Is')]}>
        {headings.map((heading, index) => (
          <tr key={`${index} ${heading}`}>
            <td>{heading}</td>
            <td>{samples(index)}</td>
            <td>
              <Select
                className="client-import-field"
                aria-label={`${heading}: ${t('Is')}`}
                disabled={isFixed}
                showSearch={{ optionFilterProp: 'label' }}
                value={mapping[index] ?? noField}
                options={options}
                onChange={(value: string) => choose(index, value)}
              />
            </td>
          </tr>
        ))}
      </ImportTable>
      <fieldset className="client-import-duplicates" disabled={isFixed}>
        <legend>{t('Who is a client already, by phone, e-mail or ID number')}</legend>
        <Radio.Group
          name="duplicates"
          disabled={isFixed}
          value={duplicates}
          onChange={({ target }) => onDuplicates(target.value as Duplicates)}
          options={[
            { value: 'refuse', label: t('is shown as an error') },
            { value: 'skip', label: t('is passed over') },
            { value: 'update', label: t('is changed to what the file says') },
          ]}
        />
      </fieldset>
    </>
  )
}
