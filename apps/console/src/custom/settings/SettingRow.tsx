import { Suspense } from 'react'
import { Button, Form, Skeleton } from 'antd'
import { RightOutlined, UndoOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import type { FieldView } from '@outpost/contract/fields'
import type { SettingItem, SettingOrigin, SettingsSource } from '@outpost/contract/settings'
import type { CallView } from '@outpost/contract/views'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useCompany } from '../../view/company.ts'
import { fieldKindView } from '../../view/fields/index.ts'
import { isBlank } from '../../view/formats.ts'
import { LogoSetting } from './LogoSetting.tsx'
import { originOf } from './place.ts'
import { sentence } from '../../view/kinds/form/useFieldForm.ts'
import { checkValue, isSameValue } from '../../view/kinds/form/values.ts'

interface SettingRowProps {
  item: SettingItem
  source: SettingsSource | undefined
  /** As it is at the server. */ record: Row | undefined
  isChanged: boolean
  isHidden: boolean
  /** The tenant looked at, and the call that takes its logo. */ place: string | undefined
  saveLogo: CallView | undefined
}

/** A setting: what it is and does, its value, and the way to change it. */
export function SettingRow({ item: declared, source, record, isChanged, isHidden, place, saveLogo }: SettingRowProps) {
  const origin = originOf(record, declared.key)
  const item = origin ? { ...declared, standard: { value: null, words: inherited(origin, declared) } } : declared
  const { key, label, help, field, open, now } = item
  const isPicture = field?.kind === 'image'
  const isEditable = field !== undefined && !field.readOnly && source?.save !== undefined && !isPicture
  return (
    <li className="set-row" data-changed={isChanged || undefined} hidden={isHidden} id={`set-${key}`}>
      <div className="set-words">
        {isEditable ? (
          <label htmlFor={`settings_${source.key}_${field.key}`}>{t(label)}</label>
        ) : (
          <span className="set-label">{t(label)}</span>
        )}
        {isChanged ? <span className="set-changed">{t('not saved')}</span> : null}
        {origin && !isBlank(record?.[key]) ? <span className="set-own">{t('chosen here')}</span> : null}
        <p id={`set-help-${key}`}>{t(help)}</p>
      </div>
      <div className="set-value">
        {field && source ? (
          isPicture ? (
            <LogoSetting item={item} source={source} record={record} place={place} saveLogo={saveLogo} />
          ) : isEditable ? (
            <SettingField item={item} field={field} source={source} record={record} isChanged={isChanged} />
          ) : (
            <p className="set-now">{record ? wordsOf(item, record) : null}</p>
          )
        ) : (
          <>
            {now ? <p className="set-now">{t(now)}</p> : null}
            {open ? (
              <Link to={open} className="set-open" aria-describedby={`set-help-${key}`}>
                {t('Open')} <span className="o-hidden">{t(label)}</span>
                <RightOutlined aria-hidden />
              </Link>
            ) : null}
          </>
        )}
      </div>
    </li>
  )
}

/** What would hold without a value of its own, and who chose it. */
function inherited({ inherited: value, from }: SettingOrigin, { unit, field }: SettingItem): string {
  const option = field?.options?.find((one) => one.value === value)
  const words =
    value === '' ? t('none') : option ? t(option.label) : field?.kind === 'image' ? t('a picture') : `${value}${unit ? ` ${t(unit)}` : ''}`
  return `${words}, ${from === null ? t('Outpost’s default') : t('from {{name}}', { name: from })}`
}

interface SettingFieldProps {
  item: SettingItem
  field: FieldView
  source: SettingsSource
  record: Row | undefined
  isChanged: boolean
}

function SettingField({ item, field, source, record, isChanged }: SettingFieldProps) {
  const { key, label, unit, standard } = item
  const { Input, isSelfLabelled } = fieldKindView(field.kind)
  const { country } = useCompany()
  const form = Form.useFormInstance()
  const name = [source.key, field.key]
  const entered: unknown = Form.useWatch(name, form)
  if (!record) return null
  const validator = (_: unknown, value: unknown) => {
    const wrong = checkValue(field, { [field.key]: value }, country)
    return wrong ? Promise.reject(new Error(sentence(t(label), wrong))) : Promise.resolve()
  }
  const isStandard = standard !== undefined && isSame(entered, standard.value)
  return (
    <>
      <div className="set-input">
        <Form.Item
          name={name}
          rules={[{ validator }]}
          validateTrigger={['onBlur', 'onSubmit']}
          initialValue={record[field.key] ?? undefined}
        >
          <Lazy
            Input={Input}
            field={isSelfLabelled ? { ...field, label: t('On') } : field}
            aria-required={field.required}
            aria-describedby={`set-help-${key}`}
            {...(isSelfLabelled ? { 'aria-label': `${t(label)}: ${t('On')}` } : {})}
          />
        </Form.Item>
        {unit ? <span className="set-unit">{t(unit)}</span> : null}
      </div>
      <p className="set-now">
        {/* The input shows the value itself unless it was changed or its value has a label. */}
        {isChanged || isStandard ? `${t('Now')}: ${wordsOf(item, record)}` : null}
        {standard && !isStandard ? (
          <Button
            size="small"
            type="link"
            icon={<UndoOutlined aria-hidden />}
            onClick={() => form.setFieldValue(name, standard.value ?? undefined)}
            aria-label={`${t(label)}: ${t('back to the standard')}, ${t(standard.words)}`}
          >
            {t('Standard')}: {t(standard.words)}
          </Button>
        ) : null}
      </p>
    </>
  )
}

const isSame = (value: unknown, standard: unknown): boolean =>
  isSameValue(value ?? null, standard) || (standard === false && (value ?? false) === false)

/** The value at the server in words. */
function wordsOf({ field, unit, standard }: SettingItem, record: Row): string {
  if (!field) return ''
  const value = record[field.key]
  if (standard && isSame(value, standard.value)) return `${t(standard.words)} (${t('the standard')})`
  if (isBlank(value)) return t('not given')
  return `${fieldKindView(field.kind).text(value, { field, record, currency: '' })}${unit ? ` ${t(unit)}` : ''}`
}

type InputType = ReturnType<typeof fieldKindView>['Input']
const Lazy = ({ Input, ...props }: React.ComponentProps<InputType> & { Input: InputType }) => (
  <Suspense fallback={<Skeleton.Input active block />}>
    <Input {...props} />
  </Suspense>
)
