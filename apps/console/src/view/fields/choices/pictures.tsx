import type { Option } from '@outpost/contract/fields'
import { t } from '../../../session/labels.ts'
import { pictureOf, pictureSize } from '../../../theme/pictures.ts'

/** A small picture in the colour of the words beside it; nothing for a name without one. */
export function Picture({ name }: { name: string }) {
  const path = pictureOf(name)
  return path === undefined ? null : (
    <svg className="field-picture" viewBox={`0 0 ${pictureSize} ${pictureSize}`} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** Options for a select, labels replaced. */
export const selectOptions = (options: readonly Option[] = []) => options.map(({ value, label }) => ({ value, label: t(label) }))

/** What a select needs to show options, labels replaced; with their pictures where they have some. */
export function pictureSelect(options: readonly Option[]) {
  const pictures = new Map(options.flatMap(({ value, picture }) => (picture === undefined ? [] : [[value, picture] as const])))
  const shown = { options: selectOptions(options) }
  if (pictures.size === 0) return shown
  const withPicture = ({ value, label }: { value?: string | number; label?: React.ReactNode }) => (
    <>
      <Picture name={pictures.get(String(value)) ?? ''} /> {label}
    </>
  )
  return { ...shown, optionRender: withPicture, labelRender: withPicture }
}
