import { useEffect, useRef } from 'react'
import type { FormView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { FormFields } from './FormFields.tsx'
import type { Duplicates } from './useDuplicateCheck.ts'
import type { RecordValues } from './values.ts'

interface FormSectionsProps {
  view: FormView
  record: RecordValues
  duplicates: Duplicates
  isNew: boolean
  /** The only section that is shown, of a form in steps. */
  active: number | undefined
}

/** The sections of a form, one below the other; of a form in steps the active one alone is seen. */
export function FormSections({ view, record, duplicates, isNew, active }: FormSectionsProps) {
  const headings = useRef(new Map<number, HTMLHeadingElement | null>())
  const was = useRef(active)
  useEffect(() => {
    if (active !== undefined && was.current !== active) headings.current.get(active)?.focus()
    was.current = active
  }, [active])
  return view.sections.map((section, index) => (
    <section key={section.title ?? index} className="form-card" hidden={active !== undefined && active !== index}>
      {section.title ? (
        <h2 tabIndex={active === undefined ? undefined : -1} ref={(heading) => void headings.current.set(index, heading)}>
          {t(section.title)}
        </h2>
      ) : null}
      {section.hint ? <p className="form-hint">{t(section.hint)}</p> : null}
      <FormFields
        fields={view.fields}
        rows={section.rows}
        record={record}
        duplicates={duplicates}
        isNew={isNew}
        autoFocus={index === 0 && isNew}
      />
    </section>
  ))
}
