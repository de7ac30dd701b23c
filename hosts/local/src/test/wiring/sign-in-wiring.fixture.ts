import type { Wiring } from './wiring.fixture.ts'

/** An OpenID provider, whose settings are required together. */
export const signInVariables = {
  OPERATOR_SIGN_IN_KEY: 'ab'.repeat(32),
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_CONSOLE_URL: 'https://ops.example',
  OIDC_ROLES: 'it=admin',
}

/** The settings of sign-ins and of decisions of two people. */
export const signInRows: Wiring['rows'] = {
  CONSOLE_IDLE_MINUTES: ['31', 'operatorApp.1.signIn.idleMs=1860000'],
  CONSOLE_TOKEN_SIGN_IN: ['false', 'operatorApp.1.signIn.allowsToken'],
  OPERATOR_SECOND_FACTOR: ['console', 'operatorApp.1.signIn.secondFactor'],
  OPERATOR_SIGN_IN_KEY: [
    'bc'.repeat(32),
    `operatorApp.1.signIn.keys.0.key;
     aesSecretBox#1.0.0.key=af0ffdb2179e930e544e41c0c2485cb6a40f386a580f317c27e08ebd06f5a3bf`,
  ],
  OIDC_ISSUER: ['https://other-id.example', 'operatorApp.1.signIn.oidc.issuer'],
  OIDC_CLIENT_ID: ['other', 'operatorApp.1.signIn.oidc.clientId'],
  OIDC_CLIENT_SECRET: ['other', 'operatorApp.1.signIn.oidc.clientSecret'],
  OIDC_CONSOLE_URL: ['https://other-ops.example', 'operatorApp.1.signIn.oidc.consoleUrl'],
  OIDC_ROLES: ['it=viewer', 'operatorApp.1.signIn.oidc.roles.0.role=viewer'],
  OIDC_GROUPS_CLAIM: ['roles', 'operatorApp.1.signIn.oidc.groupsClaim'],
  OIDC_PERSON_CLAIM: ['email', 'operatorApp.1.signIn.oidc.personClaim'],
  OIDC_SCOPE: ['openid email', 'operatorApp.1.signIn.oidc.scope'],
  OIDC_LOGOUT: ['true', 'operatorApp.1.signIn.oidc.endsProviderSession'],
  APPROVAL_LIMIT_CAP_BOB: `manageTenants.1.unapprovedLimits=-; manageTenants.1.unapprovedLimits.paymentCap.currency=BOB;
     manageTenants.1.unapprovedLimits.paymentCap.minor=100n; manageTenants.1.unapprovedLimits.amount.currency=USDT;
     manageTenants.1.unapprovedLimits.amount.minor=0n`,
  APPROVAL_LIMIT_DAILY_USDT: `manageTenants.1.unapprovedLimits=-; manageTenants.1.unapprovedLimits.paymentCap.currency=BOB;
     manageTenants.1.unapprovedLimits.paymentCap.minor=5000000n; manageTenants.1.unapprovedLimits.amount.currency=USDT;
     manageTenants.1.unapprovedLimits.amount.minor=1000000n`,
}
