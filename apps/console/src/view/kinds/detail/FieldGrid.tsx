import type { FieldView } from '@outpost/contract/fields'
import type { SectionView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { fieldKindView } from '../../fields/index.ts'
import { FieldValue } from '../../FieldValue.tsx'
import { isVisible } from '../form/values.ts'

interface FieldGridProps {
  fields: readonly FieldView[]
  sections: readonly SectionView[]
  record: Row
  currency: string
  isNarrow?: boolean
}

/** The values of a record, section by section. */
export function FieldGrid({ fields, sections, record, currency, isNarrow = false }: FieldGridProps) {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return sections.map((section, index) => {
    const shown = section.rows
      .flat()
      .flatMap((key) => byKey.get(key) ?? [])
      .filter((field) => isVisible(field, record))
    if (shown.length === 0) return null
    return (
      <section key={section.title ?? index} className="field-section">
        {section.title ? <h2>{t(section.title)}</h2> : null}
        <dl className="field-grid" data-narrow={isNarrow}>
          {shown.map((field) => (
            <div key={field.key} data-wide={fieldKindView(field.kind).isWide}>
              <dt>{t(field.label)}</dt>
              <dd>
                <FieldValue field={field} record={record} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    )
  })
}
