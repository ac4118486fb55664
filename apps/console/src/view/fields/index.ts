import type { FieldKind } from '@outpost/contract/fields'
import { address } from './address.tsx'
import { boolean } from './boolean.tsx'
import { choice } from './choice.tsx'
import { colour } from './colour.tsx'
import { date } from './date.tsx'
import { dateTime } from './dateTime.tsx'
import { email } from './email.tsx'
import { file } from './file.tsx'
import { idNumber } from './idNumber.tsx'
import { image } from './image.tsx'
import { json } from './json.tsx'
import { makeLines } from './lines.tsx'
import { location } from './location.tsx'
import { longText } from './longText.tsx'
import { money } from './money.tsx'
import { multiChoice } from './multiChoice.tsx'
import { multiReference } from './multiReference.tsx'
import { number } from './number.tsx'
import { password } from './password.tsx'
import { percent } from './percent.tsx'
import { permissionTree } from './permissionTree.tsx'
import { personName } from './personName.tsx'
import { phone } from './phone.tsx'
import { reference } from './reference.tsx'
import { tags } from './tags.tsx'
import { text } from './text.tsx'
import type { FieldKindView } from './types.ts'

/** Every kind of field with its input and cell. */
export const fieldKindViews: Record<FieldKind, FieldKindView> = {
  text,
  longText,
  personName,
  email,
  phone,
  idNumber,
  number,
  money,
  percent,
  boolean,
  date,
  dateTime,
  choice,
  multiChoice,
  reference,
  multiReference,
  location,
  address,
  file,
  image,
  password,
  permissionTree,
  tags,
  colour,
  json,
  lines: makeLines((kind) => fieldKindView(kind)),
}

/** The view of a kind; one that this console does not know yet is shown as text. */
export function fieldKindView(kind: FieldKind): FieldKindView {
  return fieldKindViews[kind] ?? text
}
