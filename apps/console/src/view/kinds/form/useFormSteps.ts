import { useState } from 'react'
import type { FormInstance } from 'antd'
import type { FormView } from '@outpost/contract/views'
import type { RecordValues } from './values.ts'

export interface FormSteps {
  active: number
  /** The furthest step that was reached; those up to it can be opened. */
  furthest: number
  go: (step: number) => void
  /** On to the next step, once the fields of this one hold. */
  next: () => Promise<void>
  /** Opens the first step with a wrong field; false when all fields hold. */
  showWrong: () => boolean
}

/** The sections of a form as steps, one at a time. All stay mounted, so that nothing that was entered goes. Undefined: the form shows them all. */
export function useFormSteps(view: FormView, form: FormInstance<RecordValues>, isNew: boolean): FormSteps | undefined {
  const last = view.sections.length - 1
  const [active, setActive] = useState(0)
  const [furthest, setFurthest] = useState(isNew ? 0 : last)
  if (!view.isStepped || last < 1) return undefined
  const go = (step: number) => {
    setActive(step)
    setFurthest(Math.max(furthest, step))
  }
  const fieldsOf = (step: number) => view.sections[step]?.rows.flat() ?? []
  return {
    active,
    furthest,
    go,
    next: async () => {
      try {
        await form.validateFields(fieldsOf(active))
        go(Math.min(active + 1, last))
      } catch {
        // Each wrong field says so itself.
      }
    },
    showWrong: () => {
      const wrong = new Set(form.getFieldsError().flatMap(({ name, errors }) => (errors.length > 0 ? [String(name[0])] : [])))
      const step = view.sections.findIndex((_, index) => fieldsOf(index).some((key) => wrong.has(key)))
      if (step >= 0) go(step)
      return step >= 0
    },
  }
}
