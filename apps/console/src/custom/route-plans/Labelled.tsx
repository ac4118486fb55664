import { useId, type ReactNode } from 'react'
import { t } from '../../session/labels.ts'

interface Props {
  label: string
  error?: string
  isRequired?: boolean
  isWide?: boolean
  children: (id: string) => ReactNode
}

/** A field with its label above and what is wrong with it below. */
export function Labelled({ label, error, isRequired = false, isWide = false, children }: Props) {
  const id = useId()
  return (
    <div className="rp-field" data-wide={isWide || undefined}>
      <label htmlFor={id}>
        {t(label)}
        {isRequired ? (
          <span aria-hidden className="rp-star">
            {' '}
            *
          </span>
        ) : null}
      </label>
      {children(id)}
      {error ? (
        <p className="field-note" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}
