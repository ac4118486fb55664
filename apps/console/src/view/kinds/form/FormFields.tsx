import { memo, Suspense } from 'react'
import { Col, Form, Row } from 'antd'
import { Link } from '@tanstack/react-router'
import type { FieldView } from '@outpost/contract/fields'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { FieldValue } from '../../FieldValue.tsx'
import { fieldKindView } from '../../fields/index.ts'
import { InputPlace } from '../../fields/parts/input-place.tsx'
import { isBlank } from '../../formats.ts'
import { sentence } from './useFieldForm.ts'
import type { Duplicate, Duplicates } from './useDuplicateCheck.ts'
import { checkValue, isRequired, isVisible } from './values.ts'
import type { RecordValues } from './values.ts'

interface FormFieldsProps {
  fields: readonly FieldView[]
  rows: readonly string[][]
  record: RecordValues
  /** Warnings below fields whose value another record holds. */
  duplicates?: Duplicates
  isDisabled?: boolean
  isNew?: boolean
  autoFocus?: boolean
}

/** The fields of a form in rows; a row's fields share its width, one below the other on a phone. */
export function FormFields({
  fields,
  rows,
  record,
  duplicates = {},
  isDisabled = false,
  isNew = false,
  autoFocus = false,
}: FormFieldsProps) {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const first = fields.find((field) => !field.readOnly && isVisible(field, record))?.key
  return rows.map((row) => {
    const shown = row
      .flatMap((key) => byKey.get(key) ?? [])
      .filter((field) => isVisible(field, record) && !(isNew && field.readOnly && isBlank(record[field.key])))
    if (shown.length === 0) return null
    return (
      <Row gutter={24} key={row.join()}>
        {shown.map((field) => (
          <Col key={field.key} xs={24} md={shown.length > 1 && !fieldKindView(field.kind).isWide ? 24 / Math.min(shown.length, 4) : 24}>
            {field.readOnly ? (
              <ReadOnlyField field={field} record={record} />
            ) : (
              <FormField
                field={field}
                record={record}
                duplicate={duplicates[field.key]}
                isDisabled={isDisabled}
                isRequired={isRequired(field, record)}
                autoFocus={autoFocus && field.key === first}
              />
            )}
          </Col>
        ))}
      </Row>
    )
  })
}

interface FormFieldProps {
  field: FieldView
  record: RecordValues
  duplicate: Duplicate | undefined
  isDisabled: boolean
  isRequired: boolean
  autoFocus: boolean
}

/** One field with label, help and rules. Only fields that look at other values are drawn anew with each of them. */
const FormField = memo(
  function FormField({ field, record, duplicate, isDisabled, isRequired: must, autoFocus }: FormFieldProps) {
    const { Input, isSelfLabelled } = fieldKindView(field.kind)
    const { country, currency } = useCompany()
    const form = Form.useFormInstance()
    const validator = (_: unknown, value: unknown) => {
      const wrong = checkValue(
        { ...field, required: must, requiredIf: undefined },
        { ...record, ...(form.getFieldsValue(true) as RecordValues), [field.key]: value },
        country,
        currency,
      )
      return wrong ? Promise.reject(new Error(sentence(t(field.label), wrong))) : Promise.resolve()
    }
    return (
      <Form.Item
        name={field.key}
        label={isSelfLabelled ? undefined : t(field.label)}
        help={undefined}
        extra={<FieldNotes field={field} duplicate={duplicate} />}
        required={must && !isSelfLabelled}
        rules={[{ validator }]}
        validateTrigger={['onBlur', 'onSubmit']}
        validateFirst
      >
        <SuspendedInput Input={Input} field={field} record={record} disabled={isDisabled} autoFocus={autoFocus} aria-required={must} />
      </Form.Item>
    )
  },
  (before, after) =>
    before.field === after.field &&
    before.duplicate === after.duplicate &&
    before.isDisabled === after.isDisabled &&
    before.isRequired === after.isRequired &&
    before.autoFocus === after.autoFocus &&
    watchedKeys(after.field).every((key) => before.record[key] === after.record[key]),
)

/** Values that a field looks at beside its own: the label of a reference, the currency of an amount. */
const watchedKeys = ({ key, currency, fields = [] }: FieldView): string[] => [
  `${key}Label`,
  ...[currency, ...fields.map((one) => one.currency)].flatMap((one) => one ?? []),
]

/** What is below a field: its help, and who holds its value already. */
const FieldNotes = ({ field, duplicate }: Pick<FormFieldProps, 'field' | 'duplicate'>) => (
  <>
    {field.help ? t(field.help) : null}
    {/* Always there, so that a screen reader says what comes. */}
    <span role="status" className="field-duplicate">
      {duplicate ? (
        <>
          {t(duplicate.message)} {duplicate.name && duplicate.path ? <Link to={duplicate.path}>{duplicate.name}</Link> : duplicate.name}
        </>
      ) : null}
    </span>
  </>
)

type InputType = ReturnType<typeof fieldKindView>['Input']

/** An input whose code may still be on its way; its place is kept meanwhile. */
const SuspendedInput = ({ Input, ...props }: React.ComponentProps<InputType> & { Input: InputType }) => {
  const { Place } = fieldKindView(props.field.kind)
  return (
    <Suspense fallback={Place ? <Place field={props.field} value={props.value} /> : <InputPlace />}>
      <Input {...props} />
    </Suspense>
  )
}

const ReadOnlyField = ({ field, record }: { field: FieldView; record: RecordValues }) => {
  const { currency } = useCompany()
  return (
    <div className="form-readonly">
      <span className="form-readonly-label">{t(field.label)}</span>
      <span className="form-readonly-value">
        <FieldValue field={field} record={record} currency={currency} />
      </span>
    </div>
  )
}
