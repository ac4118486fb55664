import { Checkbox, Form, InputNumber, Select, Switch } from 'antd'
import { t } from '../../../session/labels.ts'
import { useRecipients } from './recipients.ts'
import { noEscalation, notifiesSomebody, type Escalation, type StoredReaction, type RuleNotification } from './rule-notification.ts'

interface NotifyFieldsProps {
  isNew: boolean
  reactions: readonly StoredReaction[]
  notification: RuleNotification
  setNotification: (next: RuleNotification) => void
}

/** Whom a rule tells at first, and whom when nobody takes note in time. */
export function NotifyFields({ isNew, reactions, notification, setNotification }: NotifyFieldsProps) {
  const canEscalate = notifiesSomebody(notification, reactions)
  return (
    <fieldset className="fleet-part">
      <legend>{t('Whom it tells')}</legend>
      {reactions.length > 0 ? <p>{reactions.map(({ name }) => name).join(', ')}</p> : null}
      <Checkbox checked={notification.me} onChange={(event) => setNotification({ ...notification, me: event.target.checked })}>
        {isNew ? t('Tell me here') : t('Tell me here too')}
      </Checkbox>
      <Form.Item
        label={t('Send mail to')}
        htmlFor="rule-mail"
        extra={t('SMS, webhooks, roles and commands are added under Event actions.')}
      >
        <Addresses id="rule-mail" value={notification.emails} onChange={(emails) => setNotification({ ...notification, emails })} />
      </Form.Item>
      <label className="fleet-switch">
        <Switch
          size="small"
          checked={notification.escalation !== null}
          disabled={!canEscalate}
          onChange={(on) => setNotification({ ...notification, escalation: on ? noEscalation : null })}
        />{' '}
        {t('Tell others if nobody takes note')}
      </label>
      {canEscalate ? null : <p>{t('Say first who is told at once.')}</p>}
      {notification.escalation ? (
        <EscalationFields
          escalation={notification.escalation}
          onChange={(escalation) => setNotification({ ...notification, escalation })}
        />
      ) : null}
    </fieldset>
  )
}

/** Addresses or numbers, as they are typed. */
export const Addresses = ({ id, value, onChange }: { id: string; value: string[]; onChange: (emails: string[]) => void }) => (
  <Select id={id} mode="tags" tokenSeparators={[',', ' ', ';']} open={false} suffixIcon={null} value={value} onChange={onChange} />
)

/** Whom the second message goes to, and after how long. */
export function EscalationFields({ escalation, onChange }: { escalation: Escalation; onChange: (next: Escalation) => void }) {
  const change = (changes: Partial<Escalation>) => onChange({ ...escalation, ...changes })
  const { people, roles } = useRecipients()
  return (
    <>
      <Form.Item label={t('After so many minutes')} htmlFor="rule-escalate-after">
        <InputNumber
          id="rule-escalate-after"
          min={1}
          max={10_080}
          value={escalation.afterMinutes}
          onChange={(value) => change({ afterMinutes: value ?? noEscalation.afterMinutes })}
        />
      </Form.Item>
      {people.length > 0 ? (
        <Form.Item label={t('People')} htmlFor="rule-escalate-people">
          <Select
            id="rule-escalate-people"
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            value={escalation.userIds}
            options={people}
            onChange={(userIds: string[]) => change({ userIds })}
          />
        </Form.Item>
      ) : null}
      <Form.Item label={t('Everybody with these roles')} htmlFor="rule-escalate-roles">
        <Select
          id="rule-escalate-roles"
          mode="tags"
          value={escalation.roles}
          options={roles}
          onChange={(next: string[]) => change({ roles: next })}
        />
      </Form.Item>
      <Form.Item label={t('Mail to')} htmlFor="rule-escalate-mail">
        <Addresses id="rule-escalate-mail" value={escalation.emails} onChange={(emails) => change({ emails })} />
      </Form.Item>
    </>
  )
}
