import type { FieldKind } from '@outpost/contract/fields'
import { address } from './text/address.tsx'
import { boolean } from './choices/boolean.tsx'
import { choice } from './choices/choice.tsx'
import { colour } from './choices/colour.tsx'
import { date } from './dates/date.tsx'
import { dateTime } from './dates/dateTime.tsx'
import { email } from './text/email.tsx'
import { file } from './files/file.tsx'
import { idNumber } from './text/idNumber.tsx'
import { image } from './files/image.tsx'
import { json } from './json.tsx'
import { makeLines } from './lines.tsx'
import { location } from './location.tsx'
import { longText } from './text/longText.tsx'
import { money } from './numbers/money.tsx'
import { multiChoice } from './choices/multiChoice.tsx'
import { multiReference } from './references/multiReference.tsx'
import { number } from './numbers/number.tsx'
import { password } from './text/password.tsx'
import { percent } from './numbers/percent.tsx'
import { permissionTree } from './choices/permissionTree.tsx'
import { personName } from './text/personName.tsx'
import { phone } from './text/phone.tsx'
import { reference } from './references/reference.tsx'
import { tags } from './choices/tags.tsx'
import { text } from './text/text.tsx'
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
