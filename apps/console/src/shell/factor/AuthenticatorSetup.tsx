import { QRCode, Typography } from 'antd'
import { t } from '../../session/labels.ts'
import './factor.css'

export interface Enrolment {
  secret: string
  uri: string
}

/** What an authenticator needs: a QR code for the camera, and the key for who has the authenticator on this very device. */
export function AuthenticatorSetup({ enrolment: { secret, uri } }: { enrolment: Enrolment }) {
  return (
    <>
      <p>{t('Scan this with an authenticator, for example Google Authenticator, Aegis or 1Password. Then enter the code it shows.')}</p>
      <div className="o-factor-code" role="img" aria-label={t('QR code for your authenticator')}>
        {/* Cameras need dark on light, in the dark look too. */}
        <div aria-hidden>
          <QRCode type="svg" value={uri} size={184} color="#000" bgColor="#fff" />
        </div>
      </div>
      <p>
        {t('No camera at hand? Enter this key:')}
        <br />
        <Typography.Text code copyable={{ text: secret, tooltips: [t('Copy'), t('Copied')] }}>
          {(secret.match(/.{1,4}/g) ?? []).join(' ')}
        </Typography.Text>
      </p>
    </>
  )
}
