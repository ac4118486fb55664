import type { Letters } from './letters.ts'
import { fullMoment } from './moment.ts'

export const portuguese: Letters = {
  hello: (firstName) => `Olá ${firstName},`,
  reset: ['Reponha a sua palavra-passe', 'Abra esta ligação dentro de uma hora para escolher uma nova palavra-passe:'],
  verify: ['Confirme o seu endereço de e-mail', 'Abra esta ligação dentro de sete dias para confirmar o seu endereço de e-mail:'],
  invite: [
    'A sua conta está pronta',
    'Foi criada uma conta para si. Abra esta ligação dentro de sete dias para escolher uma palavra-passe:',
  ],
  ignore: 'Se não pediu isto, ignore esta mensagem: nada muda.',
  notices: {
    'factor-on': ['O seu segundo fator está ligado', 'A partir de agora é pedido um código do seu autenticador ao iniciar sessão.'],
    'factor-off': ['O seu segundo fator está desligado', 'A partir de agora a sua palavra-passe basta para iniciar sessão.'],
    'factor-reset': [
      'Um administrador removeu o seu segundo fator',
      'Configure de novo o seu autenticador, no seu perfil ou na próxima vez que iniciar sessão.',
    ],
    'passkey-on': ['Tem uma nova chave de acesso', 'A partir de agora ela inicia a sua sessão sem palavra-passe.'],
    'passkey-off': ['Uma das suas chaves de acesso foi removida', 'Já não inicia a sua sessão.'],
    'passkeys-reset': [
      'Um administrador removeu as suas chaves de acesso',
      'Inicie sessão com a sua palavra-passe e crie novas no seu perfil.',
    ],
    'recovery-codes': ['Tem novos códigos de recuperação', 'Os códigos de recuperação que tinha antes deixaram de servir.'],
    'recovery-used': [
      'Um código de recuperação foi usado para iniciar sessão',
      'Cada código de recuperação serve uma vez. Crie novos no seu perfil quando restarem poucos.',
    ],
  },
  noticeWarning: 'Se não foi você, mude já a sua palavra-passe e avise um administrador.',
  newDevice: {
    subject: 'Iniciou sessão num novo dispositivo',
    intro: 'Alguém iniciou sessão na sua conta num dispositivo que ainda não tinha usado:',
    when: 'Quando: ',
    how: 'Como: ',
    device: 'Dispositivo: ',
    address: 'Endereço: ',
    unknown: 'Desconhecido',
    ways: {
      password: 'Com a palavra-passe',
      biometric: 'Com a impressão digital ou o rosto',
      passkey: 'Com uma chave de acesso',
      code: 'Com um código de utilização única',
      saml: 'Com a conta da organização (SAML)',
    },
    on: ' em ',
    unknownBrowser: 'Navegador desconhecido',
    fine: 'Se foi você, não há nada a fazer.',
    ask: 'Se não foi você, abra esta ligação dentro de sete dias. Termina todas as suas sessões, e escolhe uma nova palavra-passe:',
  },
  moment: fullMoment('pt-PT'),
}
