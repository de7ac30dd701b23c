// Generated from commit 18de94d8ed6b8ea59a378425dfdbcb3bf6f43565
// (2026-11-27, End the SQL mutator with 0 when nothing survives)
// by `pnpm previous-version`: packages/postgres/src/upgrade/program.fixture.ts and all that it imports of this repository.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHash, createHmac, hash, randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import { readFile, readdir } from "node:fs/promises";
// packages/contracts/src/fixtures/audit-entries.ts
/** The entries of the audit log, newest first, without their places in the chain. */
const auditEntries = async (audit, query) => (await audit.list(query)).map(({ actor, action, tenantId, subject, at, before, after }) => ({
	actor,
	action,
	tenantId,
	subject,
	at,
	before,
	after
}));
// packages/core/src/backlog.ts
/** All paces, in the order in which metrics list them. */
const deliveryPaces = [
	"fast",
	"slow",
	"catching_up"
];
/** Counting stops here, so that the count of a large backlog stays cheap. */
const backlogCountMax = 1e4;
new TextEncoder();
/** Lowercase hex SHA-256 of the text's UTF-8 bytes. */
const sha256 = (text) => hash("sha256", text);
/** Lowercase hex SHA-256 of an earlier digest's bytes and the text's UTF-8 bytes. */
const chainedSha256 = (previous, text) => createHash("sha256").update(previous, "hex").update(text, "utf8").digest("hex");
/** Lowercase hex HMAC-SHA256 of the concatenated parts; a text is its UTF-8 bytes. */
function hmacSha256(key, ...parts) {
	const hmac = createHmac("sha256", key);
	for (const part of parts) hmac.update(part);
	return hmac.digest("hex");
}
// packages/core/src/deposit/address-mac.ts
/**
* The MAC that binds an address to its tenant and index: write access to the database alone does not
* suffice to give a tenant another address. It begins with the id of its key and a dot.
*
* @param keys of at least 32 bytes, shared by the processes that create and that scan addresses; the first makes the MAC
* @source assumed
*/
const addressMac = ([current], address) => macBy(current, address);
const macBy = ({ id, key }, { tenantId, chain, index, address }) => `${id}.${hmacSha256(key, JSON.stringify([
	"v1",
	tenantId,
	chain,
	index,
	address
]))}`;
// packages/core/src/time.ts
/**
* `2026-11-21T15:04:05.000Z`: UTC, with milliseconds.
*
* Cached: a payout's few instants are formatted a dozen times, and `toISOString` costs as much as the
* digest of a key.
*
* @throws RangeError for an invalid date
*/
function isoText(at) {
	const ms = at.getTime();
	const known = isoTexts.get(ms);
	if (known !== void 0) return known;
	const text = at.toISOString();
	if (isoTexts.size >= isoTextsMax) isoTexts.clear();
	isoTexts.set(ms, text);
	return text;
}
const isoTexts = /* @__PURE__ */ new Map();
const isoTextsMax = 1e3;
/** The later of the two: another process's clock may be ahead of this one's, and nothing ends before it began. */
const notBefore = (at, earliest) => at < earliest ? earliest : at;
// packages/core/src/deposit/credit-deposit.ts
/** Credits the deposit's whole amount to the wallet. @source spec §3 Deposit statuses */
function creditDeposit(deposit, now) {
	const creditedAt = notBefore(now, deposit.createdAt);
	const { id, tenantId, chain, txHash, transferIndex, address, fromAddress, amount } = deposit;
	return {
		deposit: {
			id,
			tenantId,
			chain,
			txHash,
			transferIndex,
			address,
			fromAddress,
			amount,
			createdAt: deposit.createdAt,
			status: "credited",
			creditedAt
		},
		transfer: {
			type: "deposit",
			amount
		},
		event: "deposit.credited"
	};
}
/** The deposit with the instant that its commit recorded. */
const depositAsCommitted = (deposit, committed) => committed === "committed" ? deposit : {
	...deposit,
	creditedAt: committed.redatedTo
};
// ../../.pnpm/dinero.js@2.0.2/node_modules/dinero.js/dist/esm/trimScale-C3-DjbPM.js
const UNEQUAL_CURRENCIES_MESSAGE = "Objects must have the same currency.";
/**
* Assert a condition.
*
* @param condition - The condition to verify.
* @param message - The error message to throw.
*
* @throws If the condition isn't met.
*/
function assert(condition, message) {
	if (!condition) throw new Error(`[Dinero.js] ${message}`);
}
function createDinero({ calculator, onCreate, formatter = {
	toNumber: Number,
	toString: String
} }) {
	return function dinero({ amount, currency: { code, base, exponent }, scale = exponent }) {
		const currency = {
			code,
			base,
			exponent
		};
		onCreate?.({
			amount,
			currency,
			scale
		});
		return {
			calculator,
			formatter,
			create: dinero,
			toJSON() {
				return {
					amount,
					currency,
					scale
				};
			}
		};
	};
}
let DineroComparisonOperator = /* @__PURE__ */ function(DineroComparisonOperator) {
	DineroComparisonOperator[DineroComparisonOperator["LT"] = -1] = "LT";
	DineroComparisonOperator[DineroComparisonOperator["EQ"] = 0] = "EQ";
	DineroComparisonOperator[DineroComparisonOperator["GT"] = 1] = "GT";
	return DineroComparisonOperator;
}({});
/**
* Returns an equal function.
*
* @param calculator - The calculator to use.
*
* @returns The equal function.
*/
function equal$2(calculator) {
	return (subject, comparator) => {
		return calculator.compare(subject, comparator) === DineroComparisonOperator.EQ;
	};
}
/**
* Returns a lessThan function.
*
* @param calculator - The calculator to use.
*
* @returns The lessThan function.
*/
function lessThan$1(calculator) {
	return (subject, comparator) => {
		return calculator.compare(subject, comparator) === DineroComparisonOperator.LT;
	};
}
function isArray(maybeArray) {
	return Array.isArray(maybeArray);
}
function computeBase(calculator) {
	return (base) => {
		if (isArray(base)) return base.reduce((acc, curr) => calculator.multiply(acc, curr));
		return base;
	};
}
/**
* Returns a greaterThan function.
*
* @param calculator - The calculator to use.
*
* @returns The greaterThan function.
*/
function greaterThan$1(calculator) {
	return (subject, comparator) => {
		return calculator.compare(subject, comparator) === DineroComparisonOperator.GT;
	};
}
/**
* Returns a maximum function.
*
* @param calculator - The calculator to use.
*
* @returns The maximum function.
*/
function maximum$1(calculator) {
	const lessThanFn = lessThan$1(calculator);
	return (values) => {
		return values.reduce((acc, curr) => {
			return lessThanFn(acc, curr) ? curr : acc;
		});
	};
}
function haveSameCurrency$1(dineroObjects) {
	const [firstDinero, ...otherDineros] = dineroObjects;
	const computeBaseFn = computeBase(firstDinero.calculator);
	const { currency: comparator } = firstDinero.toJSON();
	const equalFn = equal$2(firstDinero.calculator);
	const comparatorBase = computeBaseFn(comparator.base);
	return otherDineros.every((d) => {
		const { currency: subject } = d.toJSON();
		const subjectBase = computeBaseFn(subject.base);
		return subject.code === comparator.code && equalFn(subjectBase, comparatorBase) && equalFn(subject.exponent, comparator.exponent);
	});
}
/**
* Divide and round down.
*
* Rounding down happens whenever the quotient is not an integer.
*
* @param amount - The amount to divide.
* @param factor - The factor to divide by.
* @param calculator - The calculator to use.
*
* @returns The rounded amount.
*/
const down = (amount, factor, calculator) => {
	const greaterThanFn = greaterThan$1(calculator);
	const equalFn = equal$2(calculator);
	const zero = calculator.zero();
	const isPositive = greaterThanFn(amount, zero);
	const quotient = calculator.integerDivide(amount, factor);
	const isInteger = equalFn(calculator.modulo(amount, factor), zero);
	if (isPositive || isInteger) return quotient;
	return calculator.decrement(quotient);
};
function transformScale$1(calculator) {
	const greaterThanFn = greaterThan$1(calculator);
	const computeBaseFn = computeBase(calculator);
	return function transformScaleFn(...[dineroObject, newScale, divide = down]) {
		const { amount, currency, scale } = dineroObject.toJSON();
		const isLarger = greaterThanFn(newScale, scale);
		const operation = isLarger ? calculator.multiply : divide;
		const [a, b] = isLarger ? [newScale, scale] : [scale, newScale];
		const base = computeBaseFn(currency.base);
		const factor = calculator.power(base, calculator.subtract(a, b));
		return dineroObject.create({
			amount: operation(amount, factor, calculator),
			currency,
			scale: newScale
		});
	};
}
function normalizeScale$1(calculator) {
	const maximumFn = maximum$1(calculator);
	const convertScaleFn = transformScale$1(calculator);
	const equalFn = equal$2(calculator);
	return function _normalizeScale(...[dineroObjects]) {
		const highestScale = dineroObjects.reduce((highest, current) => {
			const { scale } = current.toJSON();
			return maximumFn([highest, scale]);
		}, calculator.zero());
		return dineroObjects.map((d) => {
			const { scale } = d.toJSON();
			return !equalFn(scale, highestScale) ? convertScaleFn(d, highestScale) : d;
		});
	};
}
function unsafeAdd(calculator) {
	return function add(...[augend, addend]) {
		const { amount: augendAmount, currency, scale } = augend.toJSON();
		const { amount: addendAmount } = addend.toJSON();
		const amount = calculator.add(augendAmount, addendAmount);
		return augend.create({
			amount,
			currency,
			scale
		});
	};
}
function safeAdd(calculator) {
	const normalizeFn = normalizeScale$1(calculator);
	const addFn = unsafeAdd(calculator);
	return function add(...[augend, addend]) {
		assert(haveSameCurrency$1([augend, addend]), UNEQUAL_CURRENCIES_MESSAGE);
		const [newAugend, newAddend] = normalizeFn([augend, addend]);
		return addFn(newAugend, newAddend);
	};
}
function toSnapshot$1(dineroObject) {
	return dineroObject.toJSON();
}
/**
* Add up the passed Dinero objects.
*
* @param augend - The Dinero object to add to.
* @param addend - The Dinero object to add.
*
* @returns A new Dinero object.
*
* @public
*/
function add(...[augend, addend]) {
	const { calculator } = augend;
	return safeAdd(calculator)(augend, addend);
}
/**
* Get a snapshot of a Dinero object.
*
* @param dineroObject - The Dinero object to format.
* @param transformer - A transformer function.
*
* @returns A snapshot of the object.
*
* @public
*/
const toSnapshot = toSnapshot$1;
// ../../.pnpm/dinero.js@2.0.2/node_modules/dinero.js/dist/esm/bigint/index.js
/**
* Returns the sum of two bigints.
*
* @param augend - The bigint to add to.
* @param addend - The bigint to add.
*
* @returns The sum of the two bigints.
*/
const add$1 = (augend, addend) => {
	return augend + addend;
};
/**
* Compare two bigints.
*
* @param a - The first bigint to compare.
* @param b - The second bigint to compare.
*
* @returns Whether the two bigints are equal, or whether the first one is greater or less than the other.
*/
const compare$1 = (a, b) => {
	if (a < b) return DineroComparisonOperator.LT;
	if (a > b) return DineroComparisonOperator.GT;
	return DineroComparisonOperator.EQ;
};
/**
* Returns an decremented bigint.
*
* @param value - The bigint to decrement.
*
* @returns The decremented bigint.
*/
const decrement = (value) => {
	return value - 1n;
};
/**
* Returns an incremented bigint.
*
* @param value - The bigint to increment.
*
* @returns The incremented bigint.
*/
const increment = (value) => {
	return value + 1n;
};
/**
* Returns the quotient of two bigints with no fractional part.
*
* @param dividend - The bigint to divide.
* @param divisor - The bigint to divide with.
*
* @returns The quotient of the two bigints.
*/
const integerDivide = (dividend, divisor) => {
	return dividend / divisor;
};
/**
* Returns the remainder of two bigints.
*
* @param dividend - The bigint to divide.
* @param divisor - The bigint to divide with.
*
* @returns The remainder of the two bigints.
*/
const modulo = (dividend, divisor) => {
	return dividend % divisor;
};
/**
* Returns the product of two bigints.
*
* @param multiplicand - The bigint to multiply.
* @param multiplier - The bigint to multiply with.
*
* @returns The product of the two bigints.
*/
const multiply$1 = (multiplicand, multiplier) => {
	return multiplicand * multiplier;
};
/**
* Returns an bigint to the power of an exponent.
*
* @param base - The base bigint.
* @param exponent - The exponent to raise the base to.
*
* @returns The base to the power of the exponent.
*/
const power = (base, exponent) => {
	return base ** exponent;
};
/**
* Returns the difference between two bigints.
*
* @param minuend - The bigint to subtract from.
* @param subtrahend - The bigint to subtract.
*
* @returns The difference of the two bigints.
*/
const subtract$1 = (minuend, subtrahend) => {
	return minuend - subtrahend;
};
/**
* Return zero as a bigint.
*
* @returns Zero as a bigint.
*/
function zero() {
	return 0n;
}
/**
* Create a Dinero object with bigint amounts.
*
* @param options.amount - The amount in minor currency units as a bigint.
* @param options.currency - The currency.
* @param options.scale - The number of decimal places to represent.
*
* @returns The created Dinero object.
*
* @public
*/
const dinero = createDinero({ calculator: {
	add: add$1,
	compare: compare$1,
	decrement,
	increment,
	integerDivide,
	modulo,
	multiply: multiply$1,
	power,
	subtract: subtract$1,
	zero
} });
// packages/core/src/shape.ts
const kinds = {
	function: "a function",
	string: "a string",
	number: "a number",
	bigint: "a bigint",
	array: "an array",
	value: "a value"
};
/**
* Checks the ports that a use case is created from, for callers without a compiler. Called once, not for each call
* of the use case.
*
* @throws TypeError naming the first port that is missing or of another kind
*/
const checkPorts = (useCase, ports, shape) => check(useCase, "port", ports, shape, []);
/** As `checkPorts`, for the settings of a use case. */
const checkSettings = (useCase, settings, shape) => check(useCase, "setting", settings, shape, []);
function check(useCase, noun, value, shape, path) {
	if (!isOfKind(value, shape)) {
		const subject = path.length > 0 ? `${noun} "${path.join(".")}"` : `the record of ${noun}s`;
		const found = value === void 0 ? "missing" : kindOf(value);
		throw new TypeError(`${useCase}: ${subject} is ${found}; pass ${described(shape)}`);
	}
	if (typeof shape === "string") return;
	for (const [name, part] of Object.entries(shape)) check(useCase, noun, value[name], part, [...path, name]);
}
function isOfKind(value, shape) {
	if (shape === "value") return value !== void 0;
	if (shape === "array") return Array.isArray(value);
	if (typeof shape === "string") return typeof value === shape;
	return typeof value === "object" ? value !== null : typeof value === "function";
}
const described = (shape) => typeof shape === "string" ? kinds[shape] : `an object with ${Object.keys(shape).join(", ")}`;
/** The kind only: a port or setting can be a secret. */
function kindOf(value) {
	if (value === null) return "null";
	if (Array.isArray(value)) return kinds.array;
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
/** @throws TypeError naming the unit and what was passed instead */
function expectBigint(operation, unit, value) {
	if (typeof value !== "bigint") throw new TypeError(`${operation}: expected a bigint of ${unit}, got ${quoted(value)}`);
}
/** With the value: amounts and rates are no secrets. */
const quoted = (value) => typeof value === "number" || typeof value === "bigint" ? `the ${typeof value} ${value}` : typeof value === "string" ? `the string ${JSON.stringify(value)}` : value === void 0 ? "undefined" : kindOf(value);
// packages/core/src/money.ts
const currencies = {
	USDT: {
		code: "USDT",
		base: 10n,
		exponent: 6n
	},
	BOB: {
		code: "BOB",
		base: 10n,
		exponent: 2n
	}
};
/** The largest amount that a ledger row can carry: a signed 64-bit integer of minor units. */
const MAX_MINOR = 2n ** 63n - 1n;
/** `usdt(1_000_000n)` is 1 USDT. @throws TypeError for anything but a bigint */
function usdt(minor) {
	expectBigint("usdt", "micro-USDT", minor);
	return {
		currency: "USDT",
		minor
	};
}
/** `bob(100n)` is 1 BOB. @throws TypeError for anything but a bigint */
function bob(minor) {
	expectBigint("bob", "centavos", minor);
	return {
		currency: "BOB",
		minor
	};
}
/** `a + b`, of one currency. @throws TypeError for two currencies */
function addMoney(a, b) {
	expectOneCurrency("addMoney", a, b);
	return fromDinero(a.currency, add(toDinero(a), toDinero(b)));
}
function expectOneCurrency(operation, a, b) {
	if (a.currency !== b.currency) throw new TypeError(`${operation}: expected two amounts of one currency, got ${a.currency} and ${b.currency}`);
}
/**
* `"12.500000"` for USDT, `"12.50"` for BOB: always every fraction digit of the currency.
*
* @example
* ```ts
* console.log(toDecimal(usdt(12_500_000n)), toDecimal(bob(12_50n))) // 12.500000 12.50
* ```
*/
function toDecimal({ currency, minor }) {
	const point = -fractionDigits(currency);
	const digits = (minor < 0n ? -minor : minor).toString().padStart(1 - point, "0");
	return `${minor < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}
/** The number of digits after the point that an amount of this currency may carry. */
const fractionDigits = (currency) => digitsAfterPoint[currency];
const digitsAfterPoint = {
	USDT: Number(currencies.USDT.exponent),
	BOB: Number(currencies.BOB.exponent)
};
const toDinero = ({ currency, minor }) => dinero({
	amount: minor,
	currency: currencies[currency]
});
const fromDinero = (currency, value) => ({
	currency,
	minor: toSnapshot(value).amount
});
// packages/core/src/deposit/deposit.ts
/** Why only an operator can credit a deposit, in order of precedence. @source assumed */
const reviewCodes = [
	"TRANSFER_DROPPED",
	"TENANT_NOT_ACTIVE",
	"ADDRESS_RETIRED",
	"SENDER_BLOCKED",
	"SENDER_IS_SERVICE",
	"TOKEN_STATE_CHANGED",
	"SOURCES_DISAGREE",
	"AMOUNT_BELOW_MINIMUM",
	"AMOUNT_ABOVE_AUTO_LIMIT"
];
/** The types of deposits' events. @source spec §6 */
const depositEventTypes = [
	"deposit.pending",
	"deposit.credited",
	"deposit.in_review"
];
// packages/core/src/deposit/decide-deposit.ts
/**
* Automatic credits start at 1 USDT, need a second provider from 10,000 on and end at 100,000. Credits that
* only one provider has confirmed are limited to 20,000 for a tenant and 100,000 in all within 24 hours.
*
* @source assumed
*/
const defaultDepositRules = {
	minimum: usdt(1000000n),
	autoLimit: usdt(100000000000n),
	verifyFrom: usdt(10000000000n),
	unverifiedLimits: {
		perTenant: usdt(20000000000n),
		inAll: usdt(100000000000n)
	}
};
const applies = {
	TRANSFER_DROPPED: (_, { isGone }) => isGone,
	TENANT_NOT_ACTIVE: (_, { tenantStatus }) => tenantStatus !== "active",
	ADDRESS_RETIRED: (_, { isAddressRetired }) => isAddressRetired,
	SENDER_BLOCKED: (_, { isSenderBlocked }) => isSenderBlocked,
	SENDER_IS_SERVICE: (_, { isSenderService }) => isSenderService,
	TOKEN_STATE_CHANGED: (_, { tokenState }) => tokenState !== "normal",
	SOURCES_DISAGREE: (_, { doSourcesDisagree }) => doSourcesDisagree,
	AMOUNT_BELOW_MINIMUM: ({ minor }, _, { minimum }) => minor < minimum.minor,
	AMOUNT_ABOVE_AUTO_LIMIT: ({ minor }, { isAboveUnverifiedLimit }, { autoLimit }) => minor > autoLimit.minor || minor > MAX_MINOR || isAboveUnverifiedLimit
};
/** The first review code that applies, in order of precedence; null when the deposit can be credited. */
const reviewCodeOf$1 = ({ amount }, facts, rules) => reviewCodes.find((code) => applies[code](amount, facts, rules)) ?? null;
/**
* Credits a pending deposit or sends it to review.
*
* @source spec §3 Deposit statuses; the conditions are assumed
*/
function decideDeposit(deposit, facts, rules, at) {
	const reviewCode = reviewCodeOf$1(deposit, facts, rules);
	if (reviewCode === null) return creditDeposit(deposit, at);
	return {
		deposit: {
			...deposit,
			status: "in_review",
			reviewCode,
			closed: null
		},
		transfer: null,
		event: "deposit.in_review"
	};
}
// packages/core/src/deposit/open-deposit.ts
/**
* Opens a deposit for a transfer to a top-up address: pending, with its event and without a credit.
*
* @param fromAddress the text form of the sender's account
* @source spec §3 Deposit statuses
*/
const openDeposit = ({ txHash, index, value }, { tenantId, chain, address }, { id, fromAddress, at }) => ({
	deposit: {
		id,
		tenantId,
		chain,
		txHash,
		transferIndex: index,
		address,
		fromAddress,
		amount: usdt(value),
		createdAt: at,
		status: "pending"
	},
	transfer: null,
	event: "deposit.pending"
});
// packages/core/src/deposit/resolve-review.ts
/** Whether an operator can still resolve the review. */
const isOpenReview = (deposit) => deposit.closed === null;
/** Whether an operator may credit the deposit. */
const isCreditableReview = (deposit) => deposit.reviewCode !== "TRANSFER_DROPPED" && deposit.amount.minor <= MAX_MINOR;
/** Closes a review without a credit: the deposit stays `in_review`, with when and why, and no event follows. */
const closeReview = (deposit, closed) => ({
	deposit: {
		...deposit,
		closed
	},
	transfer: null,
	event: null
});
// packages/core/src/ids.ts
/** The required members of `Ids`. */
const idsShape = {
	next: "function",
	uuid: "function"
};
/**
* Makes ids from random bytes.
*
* @example
* ```ts
* const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))
* console.log(ids.next('po', ports.now()).length) // 29
* ```
*/
function idSource(random) {
	checkPorts("idSource", { random }, { random: "function" });
	return {
		next: (prefix, at) => `${prefix}_${ulid$1(at, random(10))}`,
		uuid: (at) => uuidv7(at, random(10))
	};
}
/**
* The id of a wallet transaction: `wtx_` and a ULID whose 80 random bits are replaced by the transaction's
* number in the wallet and a digest of the tenant, 40 bits each. The id is therefore derived and not
* stored, sorts as the wallet's transactions do, and differs between tenants.
*
* @param seq  1 to 2⁴⁰ − 1
*/
const walletTransactionId = (tenantId, at, seq) => `wtx_${timePart(at)}${base32$1(seq).padStart(8, "0")}${tenantPart(tenantId)}`;
/** The first 40 bits of the digest. */
const tenantPart = (tenantId) => base32$1(BigInt(`0x${sha256(tenantId).slice(0, 10)}`)).padStart(8, "0");
/** The transaction's number in such an id; undefined when the id is not valid. */
function walletTransactionSeq(id) {
	const [, digits] = /^wtx_[0-9A-HJKMNP-TV-Z]{10}([0-9A-HJKMNP-TV-Z]{8})[0-9A-HJKMNP-TV-Z]{8}$/.exec(id) ?? [];
	if (digits === void 0) return void 0;
	const seq = Array.from(digits).reduce((sum, d) => sum * 32n + BigInt(crockford$1.indexOf(d)), 0n);
	return seq > 0n ? seq : void 0;
}
const base32$1 = (value) => value < 32n ? crockford$1.charAt(Number(value)) : base32$1(value / 32n) + crockford$1.charAt(Number(value % 32n));
/** The lower bound of the ids made at `at`: all ids made earlier sort before it. */
const lowestId = (prefix, at) => `${prefix}_${timePart(at)}${"0".repeat(16)}`;
const crockford$1 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 48 bits of milliseconds as ten digits. */
function timePart(at) {
	let text = "";
	let ms = at.getTime();
	for (let i = 0; i < 10; i++) {
		text = crockford$1.charAt(ms % 32) + text;
		ms = Math.floor(ms / 32);
	}
	return text;
}
/** 48 bits of milliseconds and 80 random bits, in Crockford's base 32. */
function ulid$1(at, random) {
	let text = timePart(at);
	let bits = 0;
	let buffer = 0;
	for (const byte of random) {
		buffer = (buffer << 8 | byte) & 4095;
		bits += 8;
		while (bits >= 5) {
			bits -= 5;
			text += crockford$1.charAt(buffer >> bits & 31);
		}
	}
	return text;
}
/** The UUID with another instant and the same random bits. */
const uuidAt = (id, at) => `${uuidTime(at)}${id.slice(13)}`;
const uuidTime = (at) => {
	const time = at.getTime().toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}`;
};
/** RFC 9562: 48 bits of milliseconds, then version, variant and 74 random bits. */
function uuidv7(at, random) {
	const byte = (i) => random[i] ?? 0;
	const version = hex(112 | byte(0) & 15) + hex(byte(1));
	const variant = hex(128 | byte(2) & 63) + hex(byte(3));
	let tail = "";
	for (let i = 4; i < 10; i++) tail += hex(byte(i));
	return `${uuidTime(at)}-${version}-${variant}-${tail}`;
}
/** A byte as two digits. */
const hex = (byte) => hexBytes[byte] ?? "";
const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
// packages/core/src/event/record-event.ts
/** Gives an event its id, its `recordedAt` and its final bytes. */
function recordEvent(ports, fact) {
	const { type, occurredAt } = fact;
	const { id: subjectId, tenantId } = fact.data;
	const recordedAt = type === "deposit.pending" ? notBefore(ports.now(), occurredAt) : occurredAt;
	const id = ports.ids.uuid(recordedAt);
	return {
		id,
		tenantId,
		type,
		occurredAt,
		recordedAt,
		subjectId,
		...ports.encodeEvent({
			...fact,
			id,
			tenantId,
			recordedAt
		})
	};
}
// packages/core/src/unavailable.ts
/**
* A port cannot be reached, or the outcome of a call to it is unknown.
*
* The only error of a port that is not a bug. Repeating the call with the same arguments is always safe.
*/
var Unavailable = class extends Error {
	name = "Unavailable";
	dependency;
	constructor(dependency, reason, options) {
		super(`${dependency} unavailable: ${reason}`, options);
		this.dependency = dependency;
	}
};
// packages/core/src/deposit/top-up-address.ts
/** The audit entry of a retired address. */
const topUpAddressRetired = ({ tenantId, chain, address }, { actor, at }) => ({
	actor,
	action: "top_up_address.rotate",
	tenantId,
	subject: tenantId,
	at,
	before: {
		chain,
		address,
		retired_at: null
	},
	after: {
		chain,
		address,
		retired_at: at.toISOString()
	}
});
// packages/core/src/event/redate-event.ts
/**
* The event with later instants in its members, its id and its bytes. A store redates an event when the
* tenant's log has a later entry, since the instants of a log never decrease. In SQL: `quipu.redated_body`.
*
* @param recordedAt not before the event's own
* @param occurredAt `recordedAt` by default: most events occur with their commit
*/
function redateEvent({ places, ...event }, recordedAt, occurredAt = recordedAt) {
	const id = uuidAt(event.id, recordedAt);
	const body = new Uint8Array(event.body);
	const write = (text, place) => body.set(new TextEncoder().encode(text), place);
	write(id, places.id);
	write(isoText(recordedAt), places.recordedAt);
	for (const place of [places.occurredAt, places.settledAt]) if (place !== null) write(isoText(occurredAt), place);
	return {
		...event,
		id,
		occurredAt,
		recordedAt,
		body
	};
}
// packages/core/src/faucet/check-faucet-limits.ts
/**
* Checks a request of this amount against every limit but the one per request.
*
* Uses count while they are younger than the window. A refusal names the limit that blocks longest, and
* after how many whole seconds the same request passes if nothing else is accepted meanwhile. A request
* that never fits waits for a whole window.
*
* `remainingToday` is what the tenant can still request after this request: the smaller of the remaining
* amount, and the remaining number of requests at their maximum amount. Limits shared with other tenants
* are not part of it.
*
* @source spec §8; which code is answered when several limits refuse is assumed
*/
const checkFaucetLimits = (limits, amount) => ({ tenant, address, shared }, now) => {
	const window = {
		now: now.getTime(),
		ms: limits.windowSeconds * 1e3
	};
	const freeAt = Math.max(firstFit(tenant, window, BigInt(limits.requestsPerTenant) - 1n, () => 1n), firstFit(tenant, window, limits.perTenant.minor - amount.minor, amountOf$1), firstFit(address, window, limits.perAddress.minor - amount.minor, amountOf$1), firstFit(shared, window, limits.shared.minor - amount.minor, amountOf$1));
	const spacedAt = Math.max(...tenant.map(({ at }) => at.getTime() + limits.spacingSeconds * 1e3), window.now);
	const passesAt = Math.max(freeAt, spacedAt);
	if (passesAt > window.now) return {
		code: freeAt < spacedAt ? "FAUCET_TOO_SOON" : "FAUCET_LIMIT_EXCEEDED",
		retryAfterSeconds: Math.ceil((passesAt - window.now) / 1e3)
	};
	const counted = tenant.filter((use) => endOf(use, window) > window.now);
	const inAmount = limits.perTenant.minor - total(counted, amountOf$1) - amount.minor;
	const inRequests = BigInt(limits.requestsPerTenant - counted.length - 1) * limits.perRequest.minor;
	return { remainingToday: usdt(inAmount < inRequests ? inAmount : inRequests) };
};
const amountOf$1 = ({ amount }) => amount.minor;
const endOf = ({ at }, window) => at.getTime() + window.ms;
const total = (uses, weigh) => uses.reduce((sum, use) => sum + weigh(use), 0n);
/**
* The first instant at which the sum of the uses that still count is at most `capacity`; not after the window's `now`
* when it is already.
*/
function firstFit(uses, window, capacity, weigh) {
	if (capacity < 0n) return window.now + window.ms;
	let excess = total(uses, weigh) - capacity;
	let at = window.now;
	for (const use of uses.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
		if (excess <= 0n) break;
		excess -= weigh(use);
		at = endOf(use, window);
	}
	return at;
}
// packages/core/src/ledger/ledger.ts
/** The debit and the credit account of each type of transfer. */
const transferLegs = {
	hold: {
		debit: "available",
		credit: "held"
	},
	capture: {
		debit: "held",
		credit: "payouts"
	},
	release: {
		debit: "held",
		credit: "available"
	},
	deposit: {
		debit: "deposits",
		credit: "available"
	},
	adjustment_in: {
		debit: "adjustments",
		credit: "available"
	},
	adjustment_out: {
		debit: "available",
		credit: "adjustments"
	}
};
/**
* The difference between the stored balance and the sums of the postings, in `available` and `held` together.
*
* It is 0 exactly when `available + held = credited − debited + adjusted` and `held` equals its postings.
*/
function balanceDrift(balance, totals) {
	const total = totals.credited.minor - totals.debited.minor + totals.adjusted.minor;
	const off = {
		held: balance.held.minor - totals.held.minor,
		available: balance.available.minor - (total - totals.held.minor)
	};
	return {
		currency: "USDT",
		minor: abs(off.held) + abs(off.available)
	};
}
const abs = (value) => value < 0n ? -value : value;
/** Whether the stored balance equals the sums of the postings. */
const isBalanced = (balance, totals) => balanceDrift(balance, totals).minor === 0n;
// packages/core/src/payout/open-payout.ts
/** One fixed sentence for each code: the network's own texts are not shown to tenants. */
const payoutMessages = {
	QUOTE_AMOUNT_MISMATCH: "The QR is for another amount than the quote. Nothing was debited and the quote can still be used for the right QR.",
	QUOTE_EXPIRED: "The quote expired before the payment. Nothing was debited.",
	QUOTE_ALREADY_USED: "Another payment used the quote. Nothing was debited.",
	INSUFFICIENT_BALANCE: "The available USDT is below the amount of the quote. Nothing was debited.",
	INSUFFICIENT_FUNDS: "The service has no liquidity for this payment at the moment. Nothing was debited.",
	AMOUNT_EXCEEDS_PROVIDER_LIMIT: "The payment is above the limit for one payment or for one day. Nothing was debited.",
	PAYMENT_CANCELLED: "The payment ended before it was paid. Nothing was debited.",
	QR_REFUSED: "The network refused the QR. Nothing was debited.",
	PAYMENT_FAILED: "The network refused the payment. The held USDT was released."
};
/** Opens a payout: it is in `processing`, with a hold of its quote's source amount. */
const openPayout = (draft, applied) => ({
	payout: {
		...draft,
		...applied,
		status: "processing"
	},
	transfer: {
		type: "hold",
		amount: applied.quote.source
	},
	event: null
});
/** Rejects a payout whose QR the network refused. The answer has the outcome: no event. @source spec §3 */
const rejectPayout = (draft, at) => ({
	payout: {
		...draft,
		status: "rejected",
		quote: null,
		qr: null,
		error: {
			code: "QR_REFUSED",
			message: payoutMessages.QR_REFUSED
		},
		endedAt: at
	},
	transfer: null,
	event: null
});
/** Cancels a payout before it was applied: without a hold and without using its quote. @source spec §3 */
const cancelPayout = (draft, qr, code, at) => ({
	payout: {
		...draft,
		status: "cancelled",
		quote: null,
		qr,
		error: {
			code,
			message: payoutMessages[code]
		},
		endedAt: at
	},
	transfer: null,
	event: "payout.cancelled"
});
// packages/core/src/payout/ports.ts
/** The claim of the request that applied the payout. */
const ownerClaim = ({ tenantId, id }) => ({
	tenantId,
	payoutId: id,
	fencingToken: 1
});
// packages/core/src/payout/schedule.ts
/**
* The shortest pause, in seconds, between an unanswered status call and the next one, when an answer
* about another payout brings it forward. Indexed by how often that has happened since the network last
* answered about this payout; the last value stays.
*
* @source assumed
*/
const catchUpPausesSeconds = [
	2,
	4,
	8,
	16,
	32,
	60
];
// packages/core/src/payout/settle-payout.ts
/**
* Settles a payout with the network's final answer.
*
* Captures the hold when the merchant was paid and releases it otherwise: the tenant is debited exactly
* `quote.source` or nothing. The parameter's type excludes ended payouts.
*
* A QR refused late ends as `failed`, which has an event: `rejected` has none, and the request has already
* been answered.
*
* @source spec §3 Payout statuses; lateness is assumed
*/
function settlePayout(payout, answer, timing, now) {
	const at = notBefore(now, payout.createdAt);
	switch (answer.type) {
		case "paid": return {
			payout: {
				...payout,
				status: "completed",
				endedAt: at,
				networkPaymentId: answer.paymentId
			},
			transfer: transferOf("capture", payout),
			event: "payout.completed"
		};
		case "refused_payment": return fail(payout, at);
		case "refused_qr": return timing === "late" ? fail(payout, at) : reject(payout, at);
		case "no_liquidity": return cancel(payout, "INSUFFICIENT_FUNDS", at);
		case "limit": return cancel(payout, "AMOUNT_EXCEEDS_PROVIDER_LIMIT", at);
		case "not_sent":
		case "cancelled": return cancel(payout, "PAYMENT_CANCELLED", at);
	}
}
const fail = (payout, at) => ({
	payout: {
		...payout,
		status: "failed",
		error: {
			code: "PAYMENT_FAILED",
			message: payoutMessages.PAYMENT_FAILED
		},
		endedAt: at
	},
	transfer: transferOf("release", payout),
	event: "payout.failed"
});
const reject = (payout, at) => ({
	payout: {
		...payout,
		status: "rejected",
		error: {
			code: "QR_REFUSED",
			message: payoutMessages.QR_REFUSED
		},
		endedAt: at
	},
	transfer: transferOf("release", payout),
	event: null
});
const cancel = (payout, code, at) => ({
	payout: {
		...payout,
		status: "cancelled",
		error: {
			code,
			message: payoutMessages[code]
		},
		endedAt: at
	},
	transfer: transferOf("release", payout),
	event: "payout.cancelled"
});
const transferOf = (type, { quote }) => ({
	type,
	amount: quote.source
});
// packages/core/src/quote/quote.ts
const ceilDivide = (a, b) => (a + b - 1n) / b;
/**
* The price of paying `target`, rounded in the operator's favour by less than one minor unit.
*
*     rate      = floor4(bid × (10000 − margin_bps) / 10000)
*     principal = ceil6(target / rate)
*     fee       = ceil6(principal × fee_bps / 10000) + fee_fixed
*
* @returns `no_rate` when the rate is zero, `too_large` when `source` exceeds `MAX_MINOR`
* @source assumed: the specification shows rate, fee and amounts but not their relation
*/
function quotePrice(target, bid, pricing) {
	const rate = bid * BigInt(1e4 - pricing.marginBps) / 10000n;
	if (rate <= 0n) return "no_rate";
	const principal = usdt(ceilDivide(target.minor * 10n ** 8n, rate));
	const fee = addMoney(usdt(ceilDivide(principal.minor * BigInt(pricing.feeBps), 10000n)), pricing.feeFixed);
	const source = addMoney(principal, fee);
	return source.minor > MAX_MINOR ? "too_large" : {
		rate,
		target,
		principal,
		fee,
		source
	};
}
/** All scenarios of the sandbox. */
const sandboxScenarios = Object.keys({
	paid: "paid",
	late: "late",
	refused: "refused_payment",
	no_liquidity: "no_liquidity",
	limit: "limit",
	refused_qr: "refused_qr"
});
// packages/core/src/tenant/api-key.ts
/** What an API key can be allowed to do. @source spec §5 names the first three; the others are assumed */
const apiKeyScopes = [
	"payouts:write",
	"payouts:read",
	"wallet:write",
	"wallet:read",
	"webhooks:read",
	"webhooks:write"
];
/** The prefix of keys of this kind: `qpu_test_`. */
const apiKeyPrefix = (kind) => `qpu_${kind}_`;
/** Makes a key of 160 random bits, with the members of its record that derive from it. */
function makeApiKey(kind, random) {
	const prefix = apiKeyPrefix(kind);
	const key = prefix + Array.from(random(20), (byte) => byte.toString(16).padStart(2, "0")).join("");
	return {
		key,
		prefix,
		lastFour: key.slice(-4),
		hash: apiKeyHash(key)
	};
}
/** The hash that a key is looked up by. The key has 160 random bits, so an unsalted digest suffices. */
const apiKeyHash = (key) => sha256(key);
/**
* Whether one person alone cannot issue a key with this prefix and these scopes: it moves real money.
*
* @source assumed
*/
const keyNeedsTwo = ({ prefix, scopes }) => scopes.includes("payouts:write") && prefix === apiKeyPrefix("live");
/** The status of the key at `now`. A key that was revoked stays `revoked` when its expiry passes. */
function apiKeyStatusAt({ activatedAt, expiresAt, revokedAt }, now) {
	if (revokedAt !== null) return "revoked";
	if (expiresAt !== null && now >= expiresAt) return "expired";
	return activatedAt === null ? "inactive" : "active";
}
/** Whether the key may be used at `now`. @source spec §5: revoked, expired, or tenant suspended */
const isKeyUsable = ({ key, tenant }, now) => apiKeyStatusAt(key, now) === "active" && tenant.status === "active";
// packages/core/src/webhook/delivery.ts
const lastMs = 0xe677d21fdbff;
const hexDigits = 20;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/**
* The id of a delivery: `dlv_` and a ULID of the event's time and of the rest of its id, XORed with a digest
* of the endpoint's. It is derived and not stored, and sorts like the events.
*/
function deliveryId(endpointId, eventId) {
	const hex = eventId.replaceAll("-", "");
	const rest = mix(endpointId, BigInt(`0x${hex.slice(-20)}`));
	return `dlv_${base32(BigInt(`0x${hex.slice(0, -20)}`), 10)}${base32(rest, 16)}`;
}
/** The event id in a delivery's id; undefined when it is not an id of this endpoint's deliveries. */
function eventIdOfDelivery(endpointId, id) {
	const [, time, rest] = /^dlv_([0-7][0-9A-HJKMNP-TV-Z]{9})([0-9A-HJKMNP-TV-Z]{16})$/.exec(id) ?? [];
	if (time === void 0 || rest === void 0) return void 0;
	const tail = mix(endpointId, valueOf(rest)).toString(16).padStart(hexDigits, "0");
	const hex = valueOf(time).toString(16).padStart(12, "0") + tail;
	return /^(.{8})(.{4})(7.{3})([89ab].{3})(.{12})$/.exec(hex)?.slice(1).join("-");
}
/** The instant in a delivery's id: that of its event, in whole milliseconds. Undefined for any other text. */
function instantOfDelivery(id) {
	const [, time] = /^dlv_([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? [];
	const ms = time === void 0 ? NaN : Number(valueOf(time));
	return ms <= lastMs ? new Date(ms) : void 0;
}
const mix = (endpointId, value) => value ^ BigInt(`0x${sha256(endpointId).slice(0, hexDigits)}`);
function base32(value, digits) {
	let text = "";
	for (let left = value; text.length < digits; left /= 32n) text = crockford.charAt(Number(left % 32n)) + text;
	return text;
}
const valueOf = (digits) => Array.from(digits).reduce((sum, digit) => sum * 32n + BigInt(crockford.indexOf(digit)), 0n);
// packages/core/src/webhook/endpoint.ts
/** The default limits. @source spec §8; the first two are assumed */
const defaultEndpointPolicy = {
	endpointsPerTenant: 16,
	secretsPerEndpoint: 5,
	pauseAfter: 5,
	redeliverSeconds: 604800
};
/** The count of consecutive failures after one more delivery has ended. @source spec §6.4 */
const consecutiveFailuresAfter = (failures, outcome) => outcome === "delivered" ? 0 : failures + 1;
// packages/contracts/src/fixtures/instants.ts
/** The default instant of test data. */
const someInstant = /* @__PURE__ */ new Date("2026-03-04T05:06:07.089Z");
/** An instant after the stores' clocks, so that stores do not redate a settlement with it. */
const laterInstant = /* @__PURE__ */ new Date("2126-03-04T05:06:07.089Z");
// packages/contracts/src/fixtures/deposit/addresses.ts
/** Accounts and addresses for tests, without key derivation. */
const testAddresses = {
	derive: (index) => {
		const account = accountOf(`top-up ${index}`);
		return {
			account,
			address: testAddresses.format(account)
		};
	},
	format: (account) => `T${account}`,
	parse: (address) => /^T[0-9a-f]{40}$/.test(address) ? address.slice(1) : void 0
};
/** 40 hex digits derived from the name. */
const accountOf = (name) => sha256(name).slice(0, 40);
/** 64 hex digits derived from the name. */
const hashOf = (name) => sha256(name);
const testMacKeys = [{
	id: "1",
	key: (/* @__PURE__ */ new Uint8Array(32)).fill(7)
}];
/** Makes the tenant's address of an index, like `ensureTopUpAddress`. */
const topUpMaker = (tenantId, createdAt = someInstant) => (index) => {
	const place = {
		tenantId,
		chain: "tron",
		index,
		...testAddresses.derive(index)
	};
	return {
		...place,
		mac: addressMac(testMacKeys, place),
		createdAt
	};
};
const newTopUp = ({ addresses }, tenantId) => addresses.ensure(tenantId, "tron", topUpMaker(tenantId));
// packages/core/src/faucet/faucet.ts
/** The default limits. @source spec §8; the shared total is assumed */
const defaultFaucetLimits = {
	perRequest: usdt(100000000n),
	perTenant: usdt(1000000000n),
	requestsPerTenant: 10,
	perAddress: usdt(1000000000n),
	shared: usdt(10000000000n),
	spacingSeconds: 60,
	windowSeconds: 86400
};
// packages/core/src/deposit/audit-review.ts
/** The audit entry of the credit of a deposit in review. */
const auditCredit = (review, { proposalId, actor, reason }, at) => ({
	...about$1(review),
	actor,
	action: "deposit.credit",
	at,
	after: {
		status: "credited",
		amount: toDecimal(review.amount),
		credited_reason: reason,
		proposal_id: proposalId
	}
});
/** The audit entry of the closure of a deposit in review. */
const auditClose = ({ closed, ...review }, proposalId) => ({
	...about$1(review),
	actor: closed.actor,
	action: "deposit.close",
	at: closed.at,
	after: {
		status: "in_review",
		closed_reason: closed.reason,
		proposal_id: proposalId
	}
});
const about$1 = ({ id, tenantId, reviewCode }) => ({
	tenantId,
	subject: id,
	before: {
		status: "in_review",
		review_code: reviewCode
	}
});
// packages/core/src/console-session/console-session.ts
/** The audit entry that is written with a new session. */
const signedIn = ({ id, person, fingerprint }, at, expiresAt) => ({
	actor: person,
	action: "console.sign_in",
	tenantId: null,
	subject: id,
	at,
	before: null,
	after: {
		fingerprint,
		expires_at: expiresAt.toISOString()
	}
});
/** The audit entry that is written with the end of a session. */
const signedOut = ({ id, person }, at) => ({
	actor: person,
	action: "console.sign_out",
	tenantId: null,
	subject: id,
	at,
	before: { ended_at: null },
	after: { ended_at: at.toISOString() }
});
// packages/core/src/difference/audit-difference.ts
/** The audit entry that is written when an operator closes a difference. */
const auditDifference = ({ id, tenantId, check, kind, subject }, { by, at, reason, proposalId }) => ({
	actor: by,
	action: "difference.close",
	tenantId,
	subject: id,
	at,
	before: { status: "open" },
	after: {
		status: "closed",
		check,
		kind,
		subject,
		reason,
		...proposalId !== null && { proposal_id: proposalId }
	}
});
// packages/core/src/difference/difference.ts
/** Every check that finds differences. */
const differenceChecks = [
	"ledger",
	"audit",
	"network",
	"chain",
	"liquidity"
];
/**
* Whether a run that sees a difference again sees it unchanged: by the same amount, also when both amounts have
* moved; without two amounts, with the same detail. The network's liquidity is below its floor or not, by
* whatever amount.
*/
function isSameDifference(stored, seen) {
	if (stored.check === "liquidity") return true;
	const [before, now] = [offBy(stored), offBy(seen)];
	return before === null || now === null ? stored.detail === seen.detail : before === now;
}
const offBy = ({ expected, found }) => expected === null || found === null ? null : found.minor - expected.minor;
const typeOfAction = {
	"api_key.issue": "api_key.issued",
	"api_key.rotate": "api_key.rotated",
	"api_key.revoke": "api_key.revoked",
	"api_key.set_addresses": "api_key.addresses_changed"
};
/** The actions of the audit log that concern keys, each of which has a notice. */
const noticedKeyActions = Object.keys(typeOfAction);
/** Whether the entry has a notice: it concerns a key, or changes a technical contact. */
const isNoticed = (entry) => noticedKeyActions.includes(entry.action) || changesContact(entry);
/** Whether the entry changes a technical contact. */
const changesContact = ({ action, before, after }) => action === "tenant.update" && (before?.["contact_name"] !== after?.["contact_name"] || before?.["contact_email"] !== after?.["contact_email"]);
/** The technical contact before the change that this entry records, or after it. */
const contactIn = (state) => ({
	name: text(state?.["contact_name"]),
	email: text(state?.["contact_email"])
});
/**
* Makes the notice of an audit entry, or of a key that expires soon.
*
* @throws Error when the entry has no notice (`isNoticed`), or neither it nor its key is given
*/
function tenantNotice({ entry, key, contact }) {
	if (entry === null) return expiryNotice(key, contact);
	const { tenantId, at: occurredAt } = entry;
	if (tenantId === null || !isNoticed(entry)) throw new Error(`the audit entry ${entry.id} has no notice`);
	const about = {
		id: `ntc_${entry.id}`,
		tenantId,
		occurredAt
	};
	const type = typeOfAction[entry.action];
	if (type !== void 0) return {
		...about,
		type,
		recipients: [contact],
		key: key && noticedKey(key, statedBy(entry))
	};
	const recipients = distinct([contactIn(entry.before), contactIn(entry.after)]);
	return {
		...about,
		type: "technical_contact.changed",
		recipients,
		key: null
	};
}
function expiryNotice(key, contact) {
	const expiresAt = key?.expiresAt?.getTime();
	if (!key || expiresAt === void 0) throw new Error("a notice of an expiry needs a key with one");
	return {
		id: `ntc_${key.id}_${expiresAt}`,
		type: "api_key.expires_soon",
		tenantId: key.tenantId,
		occurredAt: /* @__PURE__ */ new Date(expiresAt - 6048e5),
		recipients: [contact],
		key: noticedKey(key, null)
	};
}
/** What the entry says of its key. That of an issue leaves out members that the key does not have. */
const statedBy = ({ action, after }) => action === "api_key.issue" ? {
	allowed_addresses: null,
	...after
} : after;
/** The key with what its entry states: a later change has a notice of its own. */
function noticedKey(key, stated) {
	const { id, name, prefix, lastFour, scopes } = key;
	const { expires_at: ends, allowed_addresses: addresses, replaced_by: by } = stated ?? {};
	return {
		id,
		name,
		prefix,
		lastFour,
		scopes,
		expiresAt: ends === void 0 ? key.expiresAt : instant(ends),
		allowedAddresses: addresses === void 0 ? key.allowedAddresses : list$8(addresses),
		replaces: key.replaces?.keyId ?? null,
		replacedBy: typeof by === "string" ? by : null
	};
}
const text = (value) => typeof value === "string" ? value : "";
const instant = (value) => typeof value === "string" ? new Date(value) : null;
const list$8 = (value) => typeof value === "object" ? value : null;
/** A change of the name alone is sent once, under the new name. */
const distinct = (contacts) => Array.from(new Map(contacts.map((contact) => [contact.email, contact])).values());
// packages/core/src/payout/audit-decision.ts
/** The audit entry of an operator's question to the network. The answer is in the record of calls. */
const auditOperatorCall = ({ tenantId, payoutId, question, actor, at }, status) => ({
	tenantId,
	actor,
	at,
	action: question === "status" ? "payout.ask" : "payout.cancel",
	subject: payoutId,
	before: { status },
	after: null
});
/** The audit entry of a settlement by evidence. @param at the instant of its entry in the tenant's log */
const auditSettlement = ({ step, action, proposalId, actor, reason }, at) => ({
	tenantId: step.payout.tenantId,
	actor,
	at,
	action: "payout.settle",
	subject: step.payout.id,
	before: { status: "processing" },
	after: {
		status: action.outcome,
		proposal_id: proposalId,
		reason,
		...action.paid && { paid_bob: toDecimal(action.paid) },
		...action.networkPaymentId !== null && { network_payment_id: action.networkPaymentId }
	}
});
// packages/core/src/payout/decide-payout.ts
/** The settlement that people decided. The tenant is debited exactly `quote.source` or nothing. */
const decidedStep = (payout, decision, now) => settlePayout(payout, answerOf(decision), "late", now);
function answerOf({ outcome, paid, networkPaymentId }) {
	switch (outcome) {
		case "completed": return {
			type: "paid",
			amount: paid,
			paymentId: networkPaymentId
		};
		case "failed": return { type: "refused_payment" };
		case "cancelled": return { type: "cancelled" };
	}
}
// packages/core/src/operator-token/audit-token.ts
/**
* The audit entry that is written with a token that becomes active.
*
* @param proposalId  of the proposal that it needed; null when it needed none
*/
const operatorTokenIssued = (token, author, proposalId) => ({
	...author,
	action: "operator_token.issue",
	tenantId: null,
	subject: token.id,
	before: null,
	after: {
		...tokenDetails(token),
		...proposalId !== null && { proposal_id: proposalId }
	}
});
/** The audit entry that is written with a revocation. */
const operatorTokenRevoked = ({ id }, author) => ({
	...author,
	action: "operator_token.revoke",
	tenantId: null,
	subject: id,
	before: { revoked_at: null },
	after: { revoked_at: author.at.toISOString() }
});
const tokenDetails = ({ person, label, role, fingerprint, expiresAt }) => ({
	person,
	label,
	role,
	fingerprint,
	expires_at: expiresAt.toISOString()
});
// packages/core/src/operator-token/operator.ts
/** Each role with the roles whose rights it has. @source assumed */
const included = {
	viewer: ["viewer"],
	operator: ["viewer", "operator"],
	auditor: ["viewer", "auditor"],
	admin: [
		"viewer",
		"operator",
		"auditor",
		"admin"
	]
};
/** Whether `role` has the rights of `needed`. */
const hasRole = (role, needed) => included[role].includes(needed);
// packages/core/src/operator-token/operator-token.ts
/** The `createdBy` of tokens that the database's owner issued: no name of a person. */
const databaseOwner = "database owner";
/** The record of a new token. */
const newOperatorToken = ({ hash, ...request }, made) => ({
	...request,
	fingerprint: hash.slice(0, 16),
	...made,
	revocation: null
});
// packages/core/src/quote/quoting.ts
/** The audit entry that is written when an operator pauses or resumes quoting. It concerns no single tenant. */
const auditQuoting = (status, { by, at, reason }) => ({
	actor: by,
	tenantId: null,
	subject: "quoting",
	at,
	action: status === "paused" ? "quoting.pause" : "quoting.resume",
	before: { status: status === "paused" ? "open" : "paused" },
	after: {
		status,
		...reason !== null && { reason }
	}
});
// packages/core/src/operator-request/operator-request.ts
/** The id of what the same request created before; undefined when the key belongs to another request. */
const repeatedSubject = (used, request) => used.fingerprint === request?.fingerprint ? used.subject : void 0;
// packages/core/src/proposal/limit-details.ts
const noLimit = "none";
/** The parameters of a change of limits, as a store keeps them. */
const limitDetails = ({ paymentCap, amount, count }) => ({
	...paymentCap && { payment_cap_bob_minor: paymentCap.minor.toString() },
	...amount !== void 0 && { daily_limit_usdt_minor: amount?.minor.toString() ?? noLimit },
	...count !== void 0 && { daily_limit_count: count?.toString() ?? noLimit }
});
/** The inverse of `limitDetails`. */
const limitsFromDetails = ({ payment_cap_bob_minor: cap, daily_limit_usdt_minor: amount, daily_limit_count: count }) => ({
	...cap !== void 0 && { paymentCap: bob(BigInt(cap)) },
	...amount !== void 0 && { amount: amount === noLimit ? null : usdt(BigInt(amount)) },
	...count !== void 0 && { count: count === noLimit ? null : Number(count) }
});
// packages/core/src/proposal/action.ts
const reviewRule = (type) => ({
	subjectOf: ({ depositId }) => depositId,
	detailsOf: ({ amount }) => ({ amount_minor: amount.minor.toString() }),
	read: (depositId, details) => ({
		type,
		depositId,
		amount: amountOf(details)
	}),
	limitedAmountOf: ({ amount }) => amount
});
const actionRules = {
	adjust_wallet: {
		subjectOf: ({ tenantId }) => tenantId,
		detailsOf: ({ direction, amount, differenceId }) => ({
			direction,
			amount_minor: amount.minor.toString(),
			...differenceId !== void 0 && { difference_id: differenceId }
		}),
		read: (tenantId, details) => ({
			type: "adjust_wallet",
			tenantId,
			direction: details["direction"] === "in" ? "in" : "out",
			amount: amountOf(details),
			...details["difference_id"] !== void 0 && { differenceId: details["difference_id"] }
		}),
		limitedAmountOf: ({ amount, differenceId }) => differenceId === void 0 ? amount : null
	},
	credit_deposit: reviewRule("credit_deposit"),
	close_deposit: reviewRule("close_deposit"),
	settle_payout: {
		subjectOf: ({ payoutId }) => payoutId,
		detailsOf: ({ outcome, paid, networkPaymentId }) => ({
			outcome,
			...paid && { paid_minor: paid.minor.toString() },
			...networkPaymentId !== null && { network_payment_id: networkPaymentId }
		}),
		read: (payoutId, { outcome, paid_minor: paid, network_payment_id: paymentId }) => ({
			type: "settle_payout",
			payoutId,
			outcome,
			paid: paid === void 0 ? null : bob(BigInt(paid)),
			networkPaymentId: paymentId ?? null
		}),
		limitedAmountOf: () => null
	},
	issue_operator_token: {
		subjectOf: ({ tokenId }) => tokenId,
		detailsOf: ({ person, label, role, fingerprint, expiresAt }) => ({
			person,
			label,
			role,
			fingerprint,
			expires_at: expiresAt.toISOString()
		}),
		read: (tokenId, { person = "", label = "", role, fingerprint = "", expires_at: at = "" }) => ({
			type: "issue_operator_token",
			tokenId,
			person,
			label,
			fingerprint,
			role: role === "admin" ? "admin" : "operator",
			expiresAt: new Date(at)
		}),
		limitedAmountOf: () => null,
		approver: "admin"
	},
	issue_api_key: {
		subjectOf: ({ keyId }) => keyId,
		detailsOf: keyDetails,
		read: keyFromDetails,
		limitedAmountOf: () => null,
		approver: "admin"
	},
	change_limits: {
		subjectOf: ({ tenantId }) => tenantId,
		detailsOf: ({ limits }) => limitDetails(limits),
		read: (tenantId, details) => ({
			type: "change_limits",
			tenantId,
			limits: limitsFromDetails(details)
		}),
		limitedAmountOf: () => null,
		approver: "admin"
	}
};
function keyDetails(action) {
	const { name, lastFour, scopes, expiresAt, replaces, allowedAddresses } = action;
	return {
		name,
		last_four: lastFour,
		scopes: scopes.join(" "),
		...expiresAt && { expires_at: expiresAt.toISOString() },
		...replaces && {
			replaces: replaces.keyId,
			overlap_hours: replaces.overlapHours.toString()
		},
		...allowedAddresses && { allowed_addresses: allowedAddresses.join(" ") }
	};
}
function keyFromDetails(keyId, { name = "", last_four: lastFour = "", scopes = "", expires_at: at, ...more }) {
	const { replaces, overlap_hours: hours, allowed_addresses: addresses } = more;
	return {
		type: "issue_api_key",
		keyId,
		name,
		lastFour,
		scopes: scopes.split(" "),
		expiresAt: at === void 0 ? null : new Date(at),
		replaces: replaces === void 0 ? null : {
			keyId: replaces,
			overlapHours: Number(hours)
		},
		allowedAddresses: addresses === void 0 ? null : addresses.split(" ")
	};
}
const amountOf = ({ amount_minor: minor = "" }) => usdt(BigInt(minor));
const ruleOf = (type) => actionRules[type];
/** Every action's name. */
const proposalActionTypes = Object.keys(actionRules);
/** The action as a store keeps it. */
const storedAction = (action) => ({
	type: action.type,
	subject: ruleOf(action.type).subjectOf(action),
	details: ruleOf(action.type).detailsOf(action)
});
/** The inverse of `storedAction`. */
const readAction = ({ type, subject, details }) => ruleOf(type).read(subject, details);
/** The role that an operator needs to approve the action. */
const approverOf = ({ type }) => ruleOf(type).approver ?? "operator";
// packages/core/src/overview/list-all-deliveries.ts
const listAllDeliveriesPortsShape = {
	overview: {
		endpoints: "function",
		endpoint: "function",
		event: "function",
		deliveriesOf: "function"
	},
	deliveries: { list: "function" }
};
/** More endpoints than a tenant may have. */
const endpointsMax = 100;
/**
* Lists the deliveries of a tenant, an endpoint or an event, for operators. It reads a page of each endpoint and
* merges them.
*
* @example
* ```ts
* const list = listAllDeliveries(ports)
* const { items } = await list({ of: { tenantId: tenant.id }, status: 'pending', limit: 20 })
* console.log(items.length) // 1
* ```
*/
function listAllDeliveries(ports) {
	checkPorts("listAllDeliveries", ports, listAllDeliveriesPortsShape);
	const { overview, deliveries } = ports;
	return async ({ of, status, after, limit }) => {
		if ("eventId" in of) {
			const all = await deliveriesOfEvent(overview, of);
			const isWanted = (delivery) => (status === void 0 || delivery.status === status) && (after === void 0 || placeOf(delivery) < after.id);
			return pageOf$1(all.filter(isWanted), limit);
		}
		const found = [];
		for (const { tenantId, id } of await endpointsOf(overview, of)) {
			const from = after && {
				createdAt: after.createdAt,
				id: eventBefore(after.id, id)
			};
			const query = {
				limit: limit + 1,
				...from && { after: from },
				...status && { status }
			};
			found.push(...(await deliveries.list(tenantId, id, query)).items);
		}
		return pageOf$1(found, limit);
	};
}
/** The place of a delivery in the list of all: its event and the endpoint's id without its prefix. */
const deliveryPlace = /^([0-9a-f-]{36})_([0-9A-HJKMNP-TV-Z]{26})$/;
const placeOf = ({ eventId, endpointId }) => `${eventId}_${endpointId.slice(3)}`;
async function endpointsOf(overview, of) {
	const { tenantId, endpointId } = of;
	if (endpointId === void 0) {
		if (tenantId === void 0) return [];
		const { items } = await overview.endpoints({
			tenantId,
			limit: endpointsMax
		});
		return items.map(({ endpoint }) => endpoint);
	}
	const found = await overview.endpoint(endpointId);
	const isWanted = tenantId === void 0 || found?.endpoint.tenantId === tenantId;
	return found && isWanted ? [found.endpoint] : [];
}
async function deliveriesOfEvent(overview, of) {
	const event = await overview.event(of.eventId);
	if (event === void 0 || (of.tenantId ?? event.tenantId) !== event.tenantId) return [];
	return (await overview.deliveriesOf(event.tenantId, event.id)).filter(({ endpointId }) => (of.endpointId ?? endpointId) === endpointId);
}
/** The exclusive upper event of an endpoint's page: of one event, the deliveries to lower endpoints follow. */
function eventBefore(place, endpointId) {
	const [, eventId = "", last = ""] = deliveryPlace.exec(place) ?? [];
	return endpointId.slice(3) < last ? nextUuid(eventId) : eventId;
}
function nextUuid(id) {
	return (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
function pageOf$1(found, limit) {
	const sorted = found.toSorted((a, b) => placeOf(a) > placeOf(b) ? -1 : 1);
	const items = sorted.slice(0, limit);
	const last = items.at(-1);
	return {
		items,
		next: last && sorted.length > limit ? {
			createdAt: last.createdAt,
			id: placeOf(last)
		} : null
	};
}
// packages/core/src/overview/payout-activity.ts
/** How many of the newest ended payouts are counted at most, so that the cost has a bound. @source assumed */
const activityPayoutsMax = 1e4;
// packages/core/src/overview/ports.ts
/** The kinds of records that a search finds. */
const recordTypes = [
	"tenant",
	"api_key",
	"wallet",
	"top_up_address",
	"payout",
	"quote",
	"resolution",
	"deposit",
	"faucet_send",
	"event",
	"webhook_endpoint",
	"delivery",
	"proposal",
	"difference",
	"reconciliation_run",
	"sweep_batch",
	"operator_token"
];
// packages/core/src/proposal/audit-proposal.ts
/** The audit entry that is written with a new proposal. */
function auditProposal(proposal) {
	const { type, subject, details } = storedAction(proposal.action);
	return {
		...about(proposal),
		actor: proposal.proposedBy,
		action: "proposal.open",
		at: proposal.createdAt,
		before: null,
		after: {
			status: proposal.status,
			action: type,
			subject,
			...details,
			reason: proposal.reason,
			...proposal.evidence && { evidence_digest: proposal.evidence.digest }
		}
	};
}
/**
* The audit entry that is written with a later step. The actor of a failure is the proposer, whose action no
* longer fits. The entry of the execution is the action's own, which names the proposal.
*/
function auditProposalStep(proposal) {
	const entry = (action, actor, at, before) => ({
		...about(proposal),
		actor,
		action,
		at,
		before: { status: before },
		after: {
			status: proposal.status,
			...proposal.status === "failed" && { failure: proposal.failure.code }
		}
	});
	switch (proposal.status) {
		case "approved": return entry("proposal.approve", proposal.approval.by, proposal.approval.at, "open");
		case "withdrawn": return entry("proposal.withdraw", proposal.withdrawal.by, proposal.withdrawal.at, "open");
		case "failed": return entry("proposal.fail", proposal.proposedBy, proposal.failure.at, "approved");
	}
}
const about = ({ id, tenantId }) => ({
	tenantId,
	subject: id
});
// packages/core/src/proposal/proposal-settings.ts
/** Every movement of money by hand needs two people, and 72 hours are enough for the second one. @source assumed */
const defaultProposalSettings = {
	approvalLimit: usdt(0n),
	lifeSeconds: 259200
};
// packages/core/src/proposal/steps.ts
/** Approves an open proposal. Never by its proposer, and not after it expired. */
function approveProposal$1(proposal, by, at) {
	if (by === proposal.proposedBy) return "own_proposal";
	if (proposal.status !== "open") return "not_open";
	if (at >= proposal.expiresAt) return "expired";
	return {
		...proposal,
		status: "approved",
		approval: {
			at,
			by
		}
	};
}
/** Withdraws an open proposal, by its proposer or an admin. */
function withdrawProposal$1(proposal, { by, isAdmin }, at) {
	if (by !== proposal.proposedBy && !isAdmin) return "not_proposer";
	if (proposal.status !== "open") return "not_open";
	if (at >= proposal.expiresAt) return "expired";
	return {
		...proposal,
		status: "withdrawn",
		withdrawal: {
			at,
			by
		}
	};
}
/** The approved proposal after its action was committed. */
const executeProposal = (proposal, executedAt) => ({
	...proposal,
	status: "executed",
	executedAt
});
/** The approved proposal whose action no longer fits. */
const failProposal$1 = (proposal, code, at) => ({
	...proposal,
	status: "failed",
	failure: {
		at,
		code
	}
});
// packages/core/src/reconciliation/audit-request.ts
/** The audit entry that is written when an operator requests a run. */
const reconciliationRequested = ({ id, check, period, requestedBy, createdAt }) => ({
	actor: requestedBy,
	action: "reconciliation.request",
	tenantId: null,
	subject: id,
	at: createdAt,
	before: null,
	after: {
		check,
		...period && {
			from: isoText(period.from),
			to: isoText(period.to)
		}
	}
});
// packages/core/src/sweep/sweep.ts
/** The sums of these transfers. */
const sweepTotals = (transfers) => {
	const sum = (of) => transfers.reduce((total, each) => total + of(each), 0n);
	return {
		count: transfers.length,
		amount: sum(({ amount }) => amount.minor),
		trxNeeded: sum(({ trxNeeded }) => trxNeeded),
		trxMissing: sum(({ trxMissing }) => trxMissing)
	};
};
// packages/core/src/sweep/audit-sweep.ts
/** The audit entry that is written with a new batch. */
function auditSweepPlan({ batch, transfers }) {
	const { amount, count } = sweepTotals(transfers);
	return {
		actor: batch.createdBy,
		action: "sweep.plan",
		at: batch.createdAt,
		tenantId: null,
		subject: batch.id,
		before: null,
		after: {
			treasury: batch.treasury.address,
			threshold_minor: batch.threshold.minor.toString(),
			expires_at: isoText(batch.expiresAt),
			transfers: count,
			amount_minor: amount.toString()
		}
	};
}
/** The audit entry that is written with the signatures of some of a batch's transfers. */
const auditSweepSignatures = (batchId, transferIds, { actor, at }) => ({
	actor,
	action: "sweep.sign",
	at,
	tenantId: null,
	subject: batchId,
	before: null,
	after: { transfers: transferIds.toSorted() }
});
// packages/core/src/statement/statement.ts
const dayMs = 864e5;
/** The day of this instant. */
const statementDayAt = (at) => dayFrom(/* @__PURE__ */ new Date(Math.floor(at.getTime() / dayMs) * dayMs));
const dayFrom = (start) => ({
	date: dateOf(start),
	start,
	end: new Date(start.getTime() + dayMs)
});
const dateOf = (at) => at.toISOString().slice(0, 10);
// packages/core/src/tenant/audit-chain.ts
/** Where the audit log begins: the id and hash before its first entry. */
const auditStart = {
	id: 0n,
	hash: "0".repeat(64)
};
/**
* The hash of the entry that follows another one: SHA-256 of the previous hash's 32 bytes and the entry's
* canonical bytes. These are the UTF-8 bytes of a JSON array: version 1, id, microseconds since 1970, actor,
* action, tenant, subject, before, after. It is printed as PostgreSQL prints `jsonb`: members by length, then
* by bytes, and a space after each colon and comma.
*
* Numbers in `before` and `after` must be whole.
*
* @returns lowercase hex
*/
function auditHash(previous, id, entry) {
	const { actor, action, tenantId, subject, at, before, after } = entry;
	const micros = (BigInt(at.getTime()) * 1000n).toString();
	const members = [
		1,
		id.toString(),
		micros,
		actor,
		action,
		tenantId,
		subject,
		before,
		after
	];
	return chainedSha256(previous, jsonbText(members));
}
/** The entry's place in the log, after another one. */
function nextPosition(last, entry) {
	const id = last.id + 1n;
	return {
		id,
		hash: auditHash(last.hash, id, entry)
	};
}
const utf8$1 = new TextEncoder();
function compareBytes(a, b) {
	const at = a.findIndex((byte, n) => byte !== b[n]);
	return (a[at] ?? 0) - (b[at] ?? 0);
}
function jsonbText(value) {
	if (Array.isArray(value)) return `[${value.map(jsonbText).join(", ")}]`;
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	const members = Object.entries(value).map(([name, member]) => ({
		bytes: utf8$1.encode(name),
		text: `${JSON.stringify(name)}: ${jsonbText(member)}`
	}));
	members.sort((a, b) => a.bytes.length - b.bytes.length || compareBytes(a.bytes, b.bytes));
	return `{${members.map(({ text }) => text).join(", ")}}`;
}
// packages/core/src/tenant/daily-limits.ts
/** No limits: the default. @source assumed */
const noDailyLimits = {
	amount: null,
	count: null
};
/** A day without payouts. */
const noDailyUse = {
	amount: usdt(0n),
	count: 0
};
// packages/core/src/tenant/audit.ts
/** The audit entry of a new tenant. */
const tenantCreated = (tenant, actor) => ({
	actor,
	action: "tenant.create",
	tenantId: tenant.id,
	subject: tenant.id,
	at: tenant.createdAt,
	before: null,
	after: changeable(tenant)
});
/**
* The audit entry of a tenant's next revision.
*
* @param proposalId  of the proposal that it needed; null when it needed none
* @throws when the change is not the one that the action names
*/
function tenantChanged(action, before, after, { actor, at }, proposalId = null) {
	const status = {
		"tenant.update": before.status,
		...statusAfter$1
	}[action];
	if (!(after.status === status && (action === "tenant.update" || isSame$1(changeable({
		...before,
		status
	}), changeable({
		...after,
		status
	}))))) throw new Error(`the action ${action} does not match the change of tenant ${before.id}`);
	return {
		actor,
		action,
		tenantId: before.id,
		subject: before.id,
		at,
		before: changeable(before),
		after: {
			...changeable(after),
			...byProposal(proposalId)
		}
	};
}
const statusAfter$1 = {
	"tenant.suspend": "suspended",
	"tenant.resume": "active"
};
const isSame$1 = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/**
* The audit entry of a key that becomes active.
*
* @param proposalId  of the proposal that it needed; null when it needed none
*/
const keyIssued = (key, { actor, at }, proposalId) => ({
	actor,
	action: "api_key.issue",
	tenantId: key.tenantId,
	subject: key.id,
	at,
	before: null,
	after: {
		name: key.name,
		scopes: key.scopes,
		expires_at: key.expiresAt?.toISOString() ?? null,
		...key.replaces && {
			replaces: key.replaces.keyId,
			overlap_hours: key.replaces.overlapHours
		},
		...key.allowedAddresses && { allowed_addresses: key.allowedAddresses },
		...byProposal(proposalId)
	}
});
/** The audit entry of a key that the key `by` replaces. */
const keyRotated = ({ id, tenantId, expiresAt }, by, { actor, at }) => ({
	actor,
	action: "api_key.rotate",
	tenantId,
	subject: id,
	at,
	before: { expires_at: expiresAt?.toISOString() ?? null },
	after: {
		expires_at: by.replacedExpiresAt.toISOString(),
		replaced_by: by.id
	}
});
/** The audit entry of new allowed addresses of a key. */
const keyAddressesSet = ({ id, tenantId, allowedAddresses }, addresses, { actor, at }) => ({
	actor,
	action: "api_key.set_addresses",
	tenantId,
	subject: id,
	at,
	before: { allowed_addresses: allowedAddresses },
	after: { allowed_addresses: addresses }
});
const byProposal = (id) => id !== null && { proposal_id: id };
/** The audit entry of a revoked key. */
const keyRevoked = ({ id, tenantId }, { actor, at }) => ({
	actor,
	action: "api_key.revoke",
	tenantId,
	subject: id,
	at,
	before: { revoked_at: null },
	after: { revoked_at: at.toISOString() }
});
const changeable = ({ status, pricing, dailyLimits, ...identity }) => ({
	status,
	legal_name: identity.legalName,
	contact_name: identity.technicalContact.name,
	contact_email: identity.technicalContact.email,
	margin_bps: pricing.marginBps,
	fee_bps: pricing.feeBps,
	fee_fixed_minor: pricing.feeFixed.minor.toString(),
	payment_cap_bob_minor: pricing.paymentCap.minor.toString(),
	daily_limit_usdt_minor: dailyLimits.amount?.minor.toString() ?? null,
	daily_limit_count: dailyLimits.count
});
// packages/core/src/tenant/tenant.ts
/** No margin and no fees; a cap of 50,000.00 BOB. @source assumed */
const defaultPricing = {
	marginBps: 0,
	feeBps: 0,
	feeFixed: {
		currency: "USDT",
		minor: 0n
	},
	paymentCap: {
		currency: "BOB",
		minor: 5000000n
	}
};
// packages/core/src/tenant/limits.ts
/** The default cap, and no daily amount. @source assumed */
const defaultUnapprovedLimits = {
	paymentCap: defaultPricing.paymentCap,
	amount: usdt(0n)
};
/** The limits of a tenant. */
const limitsOf = ({ pricing: { paymentCap }, dailyLimits: { amount, count } }) => ({
	paymentCap,
	amount,
	count
});
/** The limits that a change raises. */
function raisedLimits(before, after) {
	const { paymentCap, amount, count } = after;
	return {
		...paymentCap.minor > before.paymentCap.minor && { paymentCap },
		...isAbove(amount?.minor ?? null, before.amount?.minor ?? null) && { amount },
		...isAbove(count, before.count) && { count }
	};
}
/** Whether a second person has to approve the raised limits. @source assumed */
const needsTwoToRaise = ({ paymentCap = bob(0n), amount, count }, unapproved) => count !== void 0 || paymentCap.minor > unapproved.paymentCap.minor || amount !== void 0 && isAbove(amount?.minor ?? null, unapproved.amount.minor);
/** Null is no limit, above every other. */
const isAbove = (one, other) => other !== null && (one === null || one > other);
// packages/core/src/tenant/manage-api-keys.ts
const manageApiKeysPortsShape = {
	apiKeys: {
		issue: "function",
		propose: "function",
		setAllowedAddresses: "function",
		find: "function",
		findCaller: "function",
		list: "function",
		revoke: "function",
		touch: "function"
	},
	tenants: { find: "function" },
	ids: idsShape,
	random: "function",
	now: "function"
};
/**
* Issues, rotates and revokes API keys. Every method throws `Unavailable` when the store cannot be reached.
*
* @example
* ```ts
* const apiKeys = manageApiKeys(ports, 'test')
* const input = { name: 'reports', scopes: ['wallet:read'], expiresAt: null } as const
* const issued = await apiKeys.issue(ana, tenant.id, input)
* if (issued.type === 'refused') throw new Error(issued.code)
* console.log(issued.key.startsWith('qpu_test_'), issued.record.scopes) // true [ 'wallet:read' ]
* console.log(await apiKeys.revoke('ana', issued.record.id)) // true
* ```
*/
function manageApiKeys(ports, kind, settings = defaultProposalSettings) {
	checkPorts("manageApiKeys", ports, manageApiKeysPortsShape);
	checkSettings("manageApiKeys", { kind }, { kind: "string" });
	checkSettings("manageApiKeys", settings, { lifeSeconds: "number" });
	return {
		async issue(operator, tenantId, input, note) {
			if (!await ports.tenants.find(tenantId)) return refused$1("not_found");
			const createdAt = ports.now();
			if (input.expiresAt !== null && input.expiresAt <= createdAt) return refused$1("already_expired");
			const { allowedAddresses = null } = input;
			return issue(ports, settings, operator, {
				...makeRecord(ports, kind, {
					...input,
					tenantId,
					createdAt,
					allowedAddresses
				}),
				note
			});
		},
		async rotate(operator, id, overlapHours, note) {
			const old = await ports.apiKeys.find(id);
			if (!old) return refused$1("not_found");
			const createdAt = ports.now();
			if (apiKeyStatusAt(old, createdAt) !== "active") return refused$1("not_active");
			const lifeMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
			const expiresAt = lifeMs === null ? null : new Date(createdAt.getTime() + lifeMs);
			const replaces = {
				keyId: id,
				overlapHours
			};
			return issue(ports, settings, operator, {
				...makeRecord(ports, kind, {
					...old,
					createdAt,
					expiresAt,
					replaces
				}),
				note
			});
		},
		async setAllowedAddresses({ tokenHash }, id, addresses) {
			const record = await ports.apiKeys.find(id);
			if (!record) return "not_found";
			const by = {
				tokenHash,
				at: ports.now()
			};
			const result = await ports.apiKeys.setAllowedAddresses(record, addresses, by);
			if (result === "committed") return {
				...record,
				allowedAddresses: addresses
			};
			return result === "stale" ? "not_found" : result;
		},
		async revoke(actor, id) {
			const record = await ports.apiKeys.find(id);
			if (!record) return void 0;
			if (record.revokedAt) return true;
			await ports.apiKeys.revoke(record, {
				actor,
				at: ports.now()
			});
			return true;
		}
	};
}
const refused$1 = (code) => ({
	type: "refused",
	code
});
function makeRecord({ ids, random }, kind, { tenantId, name, scopes, createdAt, expiresAt, replaces = null, allowedAddresses }) {
	const { key, ...kept } = makeApiKey(kind, random);
	const activatedAt = keyNeedsTwo({
		...kept,
		scopes
	}) ? null : createdAt;
	return {
		key,
		record: {
			id: ids.next("key", createdAt),
			tenantId,
			name,
			...kept,
			scopes,
			createdAt,
			activatedAt,
			lastUsedAt: null,
			expiresAt,
			revokedAt: null,
			replaces,
			allowedAddresses
		}
	};
}
async function issue(ports, settings, operator, made) {
	const { key, record, note } = made;
	if (record.scopes.includes("payouts:write") && !hasRole(operator.role, "admin")) return refused$1("needs_admin");
	const needsTwo = keyNeedsTwo(record);
	if (needsTwo && !note) return refused$1("needs_note");
	const proposal = needsTwo && note ? draft$1(ports, settings, operator, {
		record,
		note
	}) : null;
	const { tokenHash } = operator;
	const result = proposal ? await ports.apiKeys.propose(record, proposal, tokenHash) : await ports.apiKeys.issue(record, tokenHash);
	return result === "committed" ? {
		type: "issued",
		key,
		record,
		proposal
	} : refused$1(result);
}
function draft$1({ ids }, { lifeSeconds }, { person: proposedBy }, { record, note }) {
	const { id: keyId, tenantId, createdAt, name, lastFour, scopes } = record;
	const { expiresAt, replaces, allowedAddresses } = record;
	return {
		id: ids.next("prp", createdAt),
		tenantId,
		proposedBy,
		createdAt,
		reason: note.reason,
		evidence: note.evidence,
		action: {
			type: "issue_api_key",
			keyId,
			name,
			lastFour,
			scopes,
			expiresAt,
			replaces,
			allowedAddresses
		},
		expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1e3),
		status: "open"
	};
}
// packages/core/src/tenant/manage-tenants.ts
const manageTenantsPortsShape = {
	tenants: {
		create: "function",
		find: "function",
		list: "function",
		update: "function"
	},
	proposals: { insert: "function" },
	ids: idsShape,
	now: "function"
};
const manageTenantsSettingsShape = {
	lifeSeconds: "number",
	unapprovedLimits: "value"
};
const defaultSettings = {
	...defaultProposalSettings,
	unapprovedLimits: defaultUnapprovedLimits
};
/**
* Creates and changes tenants. Every method throws `Unavailable` when the store cannot be reached.
*
* @example
* ```ts
* const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
* const input = { legalName: 'Pagos del Sur S.R.L.', technicalContact, pricing: { marginBps: 150 } }
* const created = await manageTenants(ports).create('ana', input)
* console.log(created.status, created.pricing.marginBps, created.pricing.feeBps) // active 150 0
* ```
*/
function manageTenants(ports, settings = defaultSettings) {
	checkPorts("manageTenants", ports, manageTenantsPortsShape);
	checkSettings("manageTenants", settings, manageTenantsSettingsShape);
	return {
		async create(actor, input) {
			const tenant = newTenant(ports, input);
			await ports.tenants.create(tenant, ports.ids.next("wal", tenant.createdAt), actor);
			return {
				...tenant,
				usedToday: noDailyUse
			};
		},
		async createOnce(actor, input, request) {
			const tenant = newTenant(ports, input);
			const walletId = ports.ids.next("wal", tenant.createdAt);
			const created = await ports.tenants.create(tenant, walletId, actor, request);
			if (created === "committed") return {
				type: "tenant",
				tenant: {
					...tenant,
					usedToday: noDailyUse
				},
				replayed: false
			};
			const stored = await ports.tenants.find(repeatedSubject(created, request) ?? "");
			return stored ? {
				type: "tenant",
				tenant: stored,
				replayed: true
			} : {
				type: "refused",
				code: "key_reused"
			};
		},
		async change(operator, id, change, note) {
			for (;;) {
				const before = await ports.tenants.find(id);
				if (!before) return refused("not_found");
				const after = changed(before, change);
				const raised = raisedLimits(limitsOf(before), limitsOf(after));
				const { unapprovedLimits } = settings;
				if (unapprovedLimits !== null && needsTwoToRaise(raised, unapprovedLimits)) return proposeLimits(ports, settings, operator, {
					id,
					change,
					note
				});
				const author = {
					actor: operator.person,
					at: ports.now(),
					tokenHash: operator.tokenHash
				};
				const result = await ports.tenants.update(after, "tenant.update", author);
				if (result === "committed") return {
					type: "tenant",
					tenant: after
				};
				if (result === "unauthorized") return refused(result);
			}
		},
		suspend: (actor, id) => turn(ports, {
			actor,
			action: "tenant.suspend",
			id
		}),
		resume: (actor, id) => turn(ports, {
			actor,
			action: "tenant.resume",
			id
		})
	};
}
const refused = (code) => ({
	type: "refused",
	code
});
const changed = (tenant, { pricing, dailyLimits, ...identity }) => ({
	...tenant,
	...identity,
	pricing: {
		...tenant.pricing,
		...pricing
	},
	dailyLimits: {
		...tenant.dailyLimits,
		...dailyLimits
	},
	revision: tenant.revision + 1
});
async function proposeLimits({ proposals, ids, now }, { lifeSeconds }, { person: proposedBy, tokenHash }, wanted) {
	const { id: tenantId, note } = wanted;
	const { pricing: { paymentCap, ...prices } = {}, dailyLimits, ...identity } = wanted.change;
	if (Object.keys({
		...prices,
		...identity
	}).length > 0) return refused("needs_own_request");
	if (!note) return refused("needs_note");
	const limits = {
		...paymentCap && { paymentCap },
		...dailyLimits
	};
	const createdAt = now();
	const proposal = {
		id: ids.next("prp", createdAt),
		tenantId,
		proposedBy,
		createdAt,
		reason: note.reason,
		evidence: note.evidence,
		action: {
			type: "change_limits",
			tenantId,
			limits
		},
		expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1e3),
		status: "open"
	};
	return await proposals.insert(proposal, tokenHash) === "committed" ? {
		type: "proposal",
		proposal
	} : refused("unauthorized");
}
function newTenant({ ids, now }, { legalName, technicalContact, pricing, dailyLimits }) {
	const createdAt = now();
	return {
		id: ids.next("ten", createdAt),
		legalName,
		technicalContact,
		status: "active",
		pricing: {
			...defaultPricing,
			...pricing
		},
		dailyLimits: {
			...noDailyLimits,
			...dailyLimits
		},
		createdAt,
		revision: 1
	};
}
const statusAfter = {
	"tenant.suspend": "suspended",
	"tenant.resume": "active"
};
async function turn({ tenants, now }, by) {
	const { actor, action, id } = by;
	for (;;) {
		const before = await tenants.find(id);
		if (!before) return void 0;
		const after = {
			...before,
			status: statusAfter[action],
			revision: before.revision + 1
		};
		if (await tenants.update(after, action, {
			actor,
			at: now()
		}) === "committed") return after;
	}
}
// packages/core/src/webhook/endpoint-control.ts
/** The audit entry that is written when an operator pauses an endpoint. */
const auditEndpointPause = ({ id, tenantId, status }, { by, at, reason }) => ({
	actor: by,
	action: "webhook.pause",
	tenantId,
	subject: id,
	at,
	before: { status },
	after: {
		status: "paused",
		reason
	}
});
/** The audit entry that is written when an operator resumes an endpoint. */
const auditEndpointResumption = ({ id, tenantId, status }, { by, at, reason }) => ({
	actor: by,
	action: "webhook.resume",
	tenantId,
	subject: id,
	at,
	before: { status },
	after: {
		status: "active",
		...reason !== null && { reason }
	}
});
/** The audit entry that is written when an operator resends a delivery. */
const auditResend = (tenantId, { endpointId, eventId }, { by, at }) => ({
	actor: by,
	action: "webhook.resend",
	tenantId,
	subject: endpointId,
	at,
	before: null,
	after: { event_id: eventId }
});
// packages/contracts/src/fixtures/proposal/operators.ts
/** The hash of this person's token in tests. */
const tokenHashOf = (person) => sha256(`the token of ${person}`);
/** Each person has one token. */
const roles$1 = {
	ana: "operator",
	eva: "operator",
	ben: "admin",
	ada: "admin",
	luis: "operator",
	luz: "operator",
	test: "operator",
	"second-person": "operator",
	vic: "viewer",
	aud: "auditor"
};
/** A person of tests. */
const operatorNamed = (person) => ({
	person,
	role: roles$1[person],
	tokenHash: tokenHashOf(person)
});
/** A record of a person's token that expires as late as a token may. */
function operatorToken(person, role, hash = tokenHashOf(person)) {
	const createdAt = /* @__PURE__ */ new Date();
	const expiresAt = new Date(createdAt.getTime() + 316224e5);
	const made = {
		id: `opt_0${sha256(person).slice(0, 25).toUpperCase()}`,
		createdAt,
		createdBy: databaseOwner,
		activatedAt: createdAt
	};
	return {
		token: newOperatorToken({
			person,
			label: "test",
			role,
			hash,
			expiresAt
		}, made),
		hash
	};
}
/** The tokens of the people of tests. Every harness starts with them. */
const testOperatorTokens = () => Object.entries(roles$1).map(([person, role]) => operatorToken(person, role));
// packages/contracts/src/fixtures/proposal/approve-action.ts
/** An instant of test data, as `someInstant`. */
const createdAt = /* @__PURE__ */ new Date("2026-03-04T05:06:07.089Z");
/** An open proposal of this action that expires in 72 hours. */
const openProposalOf = ({ id, tenantId, actor, reason }, action) => ({
	id,
	tenantId,
	action,
	reason,
	evidence: null,
	proposedBy: actor,
	createdAt,
	expiresAt: new Date(createdAt.getTime() + 2592e5),
	status: "open"
});
/** The approver of the fixtures. */
const secondPerson = "second-person";
/** Stores a proposal of this action that another person has approved. */
async function approveAction({ proposals }, author, action) {
	const open = openProposalOf(author, action);
	expect(await proposals.insert(open, tokenHashOf(author.actor))).toBe("committed");
	const approval = {
		at: createdAt,
		by: secondPerson
	};
	const approved = {
		...open,
		status: "approved",
		approval
	};
	expect(await proposals.commit(approved, tokenHashOf(secondPerson))).toBe("committed");
	return approved;
}
/** Stores an approved proposal of this adjustment. */
const approveAdjustment = async (stores, { id, actor, reason, ...adjustment }) => {
	return approveAction(stores, {
		id,
		tenantId: adjustment.tenantId,
		actor,
		reason
	}, {
		type: "adjust_wallet",
		...adjustment
	});
};
/** Adjusts a wallet by a proposal of its own, which another person has approved. */
async function adjustWallet(stores, adjustment) {
	if (!await stores.proposals.find(adjustment.id)) await approveAdjustment(stores, adjustment);
	return stores.wallets.adjust(adjustment);
}
// packages/contracts/src/fixtures/encode-for-test.ts
/** JSON with unusual spaces, escapes and member order, which parsing and encoding anew would change. */
function testBytes(envelope) {
	const { id, type, occurredAt, recordedAt, settledAt } = envelope;
	const chunks = [];
	let size = 0;
	const add = (text) => {
		const chunk = new TextEncoder().encode(text);
		chunks.push(chunk);
		size += chunk.length;
		return size - chunk.length;
	};
	const member = (text, value) => {
		add(text);
		return add(value);
	};
	add(`{"type" : "${type}",`);
	const places = {
		id: member(`\n\t"id": "`, id),
		occurredAt: member(`", "note":"ñ 💸 \\u00e9", "occurred_at" : "`, isoText(occurredAt)),
		recordedAt: member(`","recorded_at": "`, isoText(recordedAt)),
		settledAt: settledAt && member(`", "settled_at" :"`, isoText(settledAt))
	};
	add(`"}  `);
	const body = new Uint8Array(size);
	let end = 0;
	for (const chunk of chunks) {
		body.set(chunk, end);
		end += chunk.length;
	}
	return {
		body,
		places
	};
}
/** An `EncodeEvent` for tests. */
const encodeForTest = (event) => testBytes({
	...event,
	settledAt: settledAt$1(event)
});
function settledAt$1(event) {
	if (event.type === "webhook.test") return null;
	const { data } = event;
	if (data.status === "completed") return data.endedAt;
	return data.status === "credited" ? data.creditedAt : null;
}
// packages/contracts/src/fixtures/new-event.ts
/** The step with the event that its commit stores. */
function withEvent(step, ids) {
	const { payout, event } = step;
	return {
		...step,
		event: event && newEvent(payout, event, ids, payout.endedAt)
	};
}
/** A new event. A deposit.pending is recorded a millisecond after it occurred, others at the same instant. */
function newEvent({ id: subjectId, tenantId }, type, ids, occurredAt = someInstant) {
	const recordedAt = new Date(occurredAt.getTime() + (type === "deposit.pending" ? 1 : 0));
	const event = {
		id: ids.uuid(recordedAt),
		type,
		occurredAt,
		recordedAt
	};
	const settledAt = type === "payout.completed" || type === "deposit.credited" ? occurredAt : null;
	return {
		...event,
		tenantId,
		subjectId,
		...testBytes({
			...event,
			settledAt
		})
	};
}
// packages/contracts/src/fixtures/quote-price.ts
/**
* The tenant's price of the target, at the bid at which it costs this source. Without such a bid and without a
* given target, the price of another target.
*/
function pricedFor({ source, target }, pricing) {
	if (!source) return {
		...priceAt(target ?? someTarget, 99500n, pricing),
		bid: 99500n
	};
	for (const each of target ? [target] : [someTarget, bob(source.minor)]) {
		const bid = bidFor(each, source, pricing);
		const price = priceAt(each, bid, pricing);
		if (price.source.minor === source.minor) return {
			...price,
			bid
		};
	}
	throw new Error(`no bid makes ${target?.minor} centavos cost ${source.minor} micro-USDT`);
}
const someTarget = bob(10000n);
function priceAt(target, bid, pricing) {
	const priced = quotePrice(target, bid, pricing);
	if (typeof priced === "string") throw new Error(`${target.minor} centavos: ${priced}`);
	return priced;
}
/** The lowest bid at which a tenant without fees pays no more than the source. */
function bidFor(target, source, { marginBps }) {
	const ceilDivide = (a, b) => (a + b - 1n) / b;
	return ceilDivide(ceilDivide(target.minor * 10n ** 8n, source.minor) * 10000n, BigInt(1e4 - marginBps));
}
// packages/contracts/src/fixtures/builders.ts
const someQr = {
	amountMode: "closed",
	merchant: {
		name: "Salteñas Doña Elvira",
		bankCode: "1016"
	}
};
/** @param random the source of ids; processes that share a database need different ones */
function builders(stores, random = countingBytes()) {
	return allBuilders(stores, random);
}
/** Builders of missing stores fail when they are called; `BuildersOver` excludes them. */
function allBuilders({ tenants, wallets, proposals, quotes, resolutions, payouts }, random) {
	const ids = idSource(random);
	const newTenant = async (over = {}) => {
		const tenant = {
			...someTenant,
			id: ids.next("ten", someInstant),
			...over
		};
		await tenants.create(tenant, ids.next("wal", someInstant), "ana");
		return tenant;
	};
	const applyCommit = (quote, options = {}) => {
		const networkRef = `nr-${quote.id}`;
		const draft = draftOf(quote, ids.next("po", options.createdAt ?? someInstant), options);
		return {
			kind: "apply",
			step: openPayout(draft, {
				quote,
				qr: someQr,
				networkRef
			}),
			fingerprint: options.fingerprint ?? "v1:body",
			leaseSeconds: options.leaseSeconds ?? 15
		};
	};
	return {
		ids,
		newTenant,
		applyCommit,
		newWallet: async (available, over) => {
			const { id: tenantId } = await newTenant(over);
			if (available.minor > 0n) {
				const adjustment = {
					id: ids.uuid(someInstant),
					tenantId,
					direction: "in",
					reason: "funds",
					actor: "test",
					amount: available
				};
				expect(await adjustWallet({
					wallets,
					proposals
				}, adjustment)).toBe("committed");
			}
			return tenantId;
		},
		newQuote: async (tenantId, { lifeSeconds = 60, resolutionId = null, ...options } = {}) => {
			const { pricing = someTenant.pricing } = await tenants.find(tenantId) ?? {};
			const about = {
				id: ids.uuid(someInstant),
				tenantId,
				resolutionId,
				rateSource: "fixed"
			};
			return quotes.insert({
				...about,
				...pricedFor(options, pricing)
			}, lifeSeconds);
		},
		newResolution: async (tenantId) => {
			const resolution = {
				...someResolution,
				id: ids.next("qrr", someInstant),
				tenantId
			};
			await resolutions.insert(resolution);
			return resolution;
		},
		insertEndedCommit: (quote, options = {}) => {
			const { code = "INSUFFICIENT_BALANCE", at = laterInstant } = options;
			const draft = draftOf(quote, ids.next("po", options.createdAt ?? someInstant), options);
			const step = code === "QR_REFUSED" ? rejectPayout(draft, at) : cancelPayout(draft, someQr, code, at);
			const fingerprint = options.fingerprint ?? "v1:body";
			return {
				kind: "insert_ended",
				step: withEvent(step, ids),
				fingerprint
			};
		},
		settleCommit: (payout, answer, options = {}) => {
			const step = settlePayout(payout, answer, options.timing ?? "in_time", options.at ?? laterInstant);
			const claim = options.claim ?? ownerClaim(payout);
			return {
				kind: "settle",
				step: withEvent(step, ids),
				claim
			};
		},
		newPayout: async (quote, options) => {
			const write = applyCommit(quote, options);
			expect(await payouts.commit(write)).toBe("committed");
			return write.step.payout;
		}
	};
}
/** The answer of a network that has paid this payout. */
const paidAnswer = (payout) => ({
	type: "paid",
	amount: payout.target,
	paymentId: "np-1"
});
/** An operator. */
const someOperator = {
	actor: "ana",
	at: someInstant
};
/** An admin, who may raise limits. */
const someAdmin = {
	actor: "ada",
	at: someInstant,
	tokenHash: tokenHashOf("ada")
};
const someTenant = {
	legalName: "Pagos del Sur S.R.L.",
	technicalContact: {
		name: "Rosa Quispe",
		email: "rosa@pagos.example"
	},
	status: "active",
	pricing: {
		marginBps: 150,
		feeBps: 0,
		feeFixed: usdt(0n),
		paymentCap: bob(5000000n)
	},
	dailyLimits: {
		amount: null,
		count: null
	},
	createdAt: someInstant,
	revision: 1
};
const someResolution = {
	...someQr,
	networkRef: "123456789012345678",
	amount: bob(10000n),
	description: "Salteñas",
	expiresAt: null,
	contentHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	createdAt: someInstant
};
const draftOf = (quote, id, options) => ({
	id,
	tenantId: quote.tenantId,
	transactionId: options.transactionId ?? `tx:${id}`,
	quoteId: quote.id,
	resolutionId: quote.resolutionId,
	target: quote.target,
	createdAt: options.createdAt ?? someInstant
});
/** Counts instead of being random: ids differ, and a failing test fails again in the same way. */
function countingBytes() {
	let count = 0;
	return (size) => {
		const bytes = new Uint8Array(size);
		new DataView(bytes.buffer).setUint32(size - 4, ++count);
		return bytes;
	};
}
// packages/contracts/src/fixtures/resource.ts
/** Opens a resource before the tests of the enclosing `describe`, or before each of them, and closes it after. */
function useResource(open, scope = "shared") {
	let opened;
	const before = scope === "shared" ? beforeAll : beforeEach;
	const after = scope === "shared" ? afterAll : afterEach;
	before(async () => {
		opened = await open();
	});
	after(async () => {
		await opened?.close();
		opened = void 0;
	});
	return () => {
		if (opened === void 0) throw new Error("call this inside a test: the resource is open only there");
		return opened;
	};
}
// packages/contracts/src/fixtures/harness.ts
/**
* Opens a database before the tests of the enclosing `describe` and closes it after them.
*
* @param scope `shared`: one database for all these tests, which is enough for tests that read their own
*   tenant only; `each`: one for each test, for tests that see the rows of all tenants, such as claims
*/
const useWorld = (open, scope) => useResource(async () => {
	const harness = await open();
	return {
		...harness,
		...builders(harness)
	};
}, scope);
// packages/contracts/src/stores/deposit/top-up-address-store.contract.ts
/** The contract of a `TopUpAddressStore`. */
function topUpAddressStoreContract(name, open) {
	describe(`top-up address store in ${name}`, () => {
		const world = useWorld(open);
		const newTenantId = async (w) => (await w.newTenant()).id;
		const later = new Date(someInstant.getTime() + 6e4);
		const retire = (w, tenantId) => w.addresses.retire(tenantId, "tron", {
			actor: "ana",
			at: later
		});
		test("ensure creates a new tenant’s first address and stores it as made", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			expect(await w.addresses.list(tenantId)).toEqual([]);
			const made = await newTopUp(w, tenantId);
			expect(made).toEqual({
				...topUpMaker(tenantId)(made.index),
				retiredAt: null
			});
			expect(await w.addresses.list(tenantId)).toEqual([made]);
		});
		test("ensure returns an existing address without making one", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const made = await newTopUp(w, tenantId);
			const again = await w.addresses.ensure(tenantId, "tron", () => {
				throw new Error("another address was made");
			});
			expect(again).toEqual(made);
		});
		test("renewing replaces a MAC that another key made, unless it has changed, also of a retired address", async () => {
			const w = world();
			const [tenantId, otherId] = [await newTenantId(w), await newTenantId(w)];
			const retired = await newTopUp(w, tenantId);
			await retire(w, tenantId);
			const topUps = [retired, await newTopUp(w, otherId)];
			const others = async (keyId, after = "") => (await w.addresses.listByOtherKeys(keyId, after, 1e3)).map(({ account }) => account).filter((account) => topUps.some((topUp) => topUp.account === account));
			const accounts = topUps.map(({ account }) => account).toSorted();
			expect(await others("2")).toEqual(accounts);
			expect(await others("1")).toEqual([]);
			expect(await others("2", accounts[0])).toEqual([accounts[1]]);
			expect(await w.addresses.listByOtherKeys("2", "", 1)).toHaveLength(1);
			expect(await w.addresses.renewMac(retired, "2.renewed")).toBe(true);
			expect(await w.addresses.renewMac(retired, "2.again")).toBe(false);
			const [stored] = await w.addresses.match("tron", [retired.account]);
			expect(stored).toEqual({
				...retired,
				mac: "2.renewed",
				retiredAt: later
			});
			expect(await others("2")).toEqual(accounts.filter((account) => account !== retired.account));
			expect(await w.addresses.keyUse()).toContainEqual({
				keyId: "2",
				count: 1
			});
		});
		test("50 concurrent calls of ensure make and return one address", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const made = [];
			const all = await Promise.all(Array.from({ length: 50 }, () => w.addresses.ensure(tenantId, "tron", (index) => {
				made.push(index);
				return topUpMaker(tenantId)(index);
			})));
			expect(made).toHaveLength(1);
			expect(new Set(all.map(({ address }) => address)).size).toBe(1);
			expect(await w.addresses.list(tenantId)).toEqual([all[0]]);
		});
		test("every address has its own index, across tenants and after retirement", async () => {
			const w = world();
			const tenantIds = await Promise.all(Array.from({ length: 12 }, () => newTenantId(w)));
			const first = await Promise.all(tenantIds.map((id) => newTopUp(w, id)));
			for (const id of tenantIds) expect(await retire(w, id)).toBe(true);
			const second = await Promise.all(tenantIds.map((id) => newTopUp(w, id)));
			const indexes = [...first, ...second].map(({ index }) => index);
			expect(new Set(indexes).size).toBe(24);
			for (const index of indexes) expect(Number.isInteger(index) && index >= 0 && index < 2 ** 31).toBe(true);
		});
		test("an address whose making fails is not stored, and the next call makes it", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const broken = w.addresses.ensure(tenantId, "tron", () => {
				throw new Error("no key");
			});
			await expect(broken).rejects.toThrow("no key");
			expect(await w.addresses.list(tenantId)).toEqual([]);
			expect((await newTopUp(w, tenantId)).tenantId).toBe(tenantId);
		});
		test("throws for an unknown tenant", async () => {
			const w = world();
			await expect(newTopUp(w, w.ids.next("ten", someInstant))).rejects.toThrow();
		});
		test("a retired address is no longer listed, and is still matched", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const old = await newTopUp(w, tenantId);
			expect(await retire(w, tenantId)).toBe(true);
			expect(await w.addresses.list(tenantId)).toEqual([]);
			const next = await newTopUp(w, tenantId);
			expect(next.address).not.toBe(old.address);
			expect(await w.addresses.list(tenantId)).toEqual([next]);
			const found = await w.addresses.match("tron", [old.account, next.account]);
			expect(found.toSorted((a, b) => a.index - b.index)).toEqual([{
				...old,
				retiredAt: later
			}, next].toSorted((a, b) => a.index - b.index));
		});
		test("retire writes one audit entry, and none without an address", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			expect(await retire(w, tenantId)).toBe(false);
			const made = await newTopUp(w, tenantId);
			const results = await Promise.all([
				1,
				2,
				3
			].map(() => retire(w, tenantId)));
			expect(results.filter(Boolean)).toHaveLength(1);
			const rows = await auditEntries(w.audit, {
				subject: tenantId,
				limit: 10
			});
			expect(rows.filter(({ action }) => action === "top_up_address.rotate")).toEqual([topUpAddressRetired(made, {
				actor: "ana",
				at: later
			})]);
		});
		test("retire does not change another tenant’s address", async () => {
			const w = world();
			const [one, other] = [await newTenantId(w), await newTenantId(w)];
			const [, kept] = [await newTopUp(w, one), await newTopUp(w, other)];
			await retire(w, one);
			expect(await w.addresses.list(other)).toEqual([kept]);
		});
		test("match finds the known accounts among many, each once", async () => {
			const w = world();
			const [one, other] = [await newTenantId(w), await newTenantId(w)];
			const ours = [await newTopUp(w, one), await newTopUp(w, other)];
			const unknown = Array.from({ length: 2e3 }, (_, n) => accountOf(`unknown ${n}`));
			const accounts = [
				...unknown,
				...ours,
				...ours
			].map((each) => typeof each === "string" ? each : each.account);
			const found = await w.addresses.match("tron", accounts);
			expect(found.toSorted((a, b) => a.index - b.index)).toEqual(ours.toSorted((a, b) => a.index - b.index));
			expect(await w.addresses.match("tron", unknown)).toEqual([]);
			expect(await w.addresses.match("tron", [])).toEqual([]);
		});
	});
}
// packages/contracts/src/fixtures/arbitraries.ts
const codePoint = fc.oneof(fc.integer({
	min: 1,
	max: 55295
}), fc.integer({
	min: 57344,
	max: 1114111
}));
/** Any Unicode text that the API accepts: without NUL and lone surrogates. */
const anyText = fc.string({
	unit: codePoint.map((value) => String.fromCodePoint(value)),
	minLength: 1,
	maxLength: 40
});
/** From 2020 to 2099, in whole milliseconds. */
const anyInstant = fc.date({
	min: /* @__PURE__ */ new Date("2020-01-01T00:00:00.000Z"),
	max: /* @__PURE__ */ new Date("2099-12-31T23:59:59.999Z"),
	noInvalidDate: true
});
/** From one minor unit to the maximum of a ledger row, small amounts as often as large ones. */
const anyMinor = fc.oneof(fc.bigInt({
	min: 1n,
	max: 100n
}), fc.bigInt({
	min: 1n,
	max: 10n ** 12n
}), fc.bigInt({
	min: 1n,
	max: MAX_MINOR
}), fc.constant(MAX_MINOR));
const anyUsdt = anyMinor.map(usdt);
const anyBob = anyMinor.map(bob);
/** 0.0001 to 999999.9999 BOB per USDT. */
const anyRate = fc.bigInt({
	min: 1n,
	max: 10n ** 10n - 1n
});
const ulid = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
/** An id with this prefix. */
const anyId = (prefix) => ulid.map((text) => `${prefix}_${text}`);
const anyUuid = fc.uuid({ version: 7 });
/** @source spec §4: 1 to 100 characters from A-Z a-z 0-9 . _ : - */
const anyTransactionId = fc.stringMatching(/^[A-Za-z0-9._:-]{1,100}$/);
const anyPricing = fc.record({
	marginBps: fc.integer({
		min: 0,
		max: 5e3
	}),
	feeBps: fc.integer({
		min: 0,
		max: 5e3
	}),
	feeFixed: fc.oneof(fc.constant(usdt(0n)), anyUsdt),
	paymentCap: anyBob
});
const anyDailyLimits = fc.record({
	amount: fc.option(anyUsdt),
	count: fc.option(fc.integer({
		min: 1,
		max: 1e6
	}))
});
const anyTenant = fc.record({
	id: anyId("ten"),
	legalName: anyText,
	technicalContact: fc.record({
		name: anyText,
		email: fc.emailAddress()
	}),
	status: fc.constantFrom("active", "suspended"),
	pricing: anyPricing,
	dailyLimits: anyDailyLimits,
	createdAt: anyInstant,
	revision: fc.constant(1)
});
const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6(), fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`));
/** A key of this tenant, valid or not. */
const anyApiKey = (tenantId) => fc.record({
	id: anyId("key"),
	name: anyText,
	kind: fc.constantFrom("live", "test", "mock"),
	lastFour: fc.stringMatching(/^[0-9a-f]{4}$/),
	secret: fc.uuid(),
	scopes: fc.uniqueArray(fc.constantFrom(...apiKeyScopes), { minLength: 1 }),
	createdAt: anyInstant,
	isActive: fc.boolean(),
	lastUsedAt: fc.option(anyInstant),
	expiresAt: fc.option(anyInstant),
	revokedAt: fc.option(anyInstant),
	allowedAddresses: fc.option(fc.array(anyAddress, {
		minLength: 1,
		maxLength: 3
	}))
}).map(({ kind, secret, isActive, ...key }) => ({
	...key,
	activatedAt: isActive ? key.createdAt : null,
	replaces: null,
	tenantId,
	prefix: `qpu_${kind}_`,
	hash: sha256(secret)
}));
// packages/contracts/src/fixtures/new-key.ts
/** A key that works, for `ApiKeyStore.issue`; it moves no real money. */
function newKey({ ids }, tenantId) {
	const id = ids.next("key", someInstant);
	return {
		id,
		tenantId,
		name: "tills",
		prefix: "qpu_test_",
		lastFour: "c0de",
		hash: sha256(id),
		scopes: ["payouts:write", "payouts:read"],
		createdAt: someInstant,
		activatedAt: someInstant,
		lastUsedAt: null,
		expiresAt: null,
		revokedAt: null,
		replaces: null,
		allowedAddresses: null
	};
}
// packages/contracts/src/fixtures/pages.ts
/** Sorted like every list: by creation and id, newest first. */
const newestFirst$2 = (rows) => rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
/** All pages of a list. */
async function allPages(list, limit) {
	const pages = [];
	let after;
	do {
		const page = await list({
			limit,
			...after && { after }
		});
		pages.push([...page.items]);
		after = page.next ?? void 0;
	} while (after !== void 0);
	return pages;
}
/** Expects these rows, newest first, each once and on full pages, for several limits. */
async function expectPages(rows, list) {
	for (const limit of /* @__PURE__ */ new Set([
		1,
		2,
		3,
		rows.length || 1,
		rows.length + 1
	])) {
		const pages = await allPages(list, limit);
		expect(pages.flat()).toEqual(newestFirst$2(rows));
		expect(pages.map((page) => page.length)).toEqual(sizes(rows.length, limit));
	}
}
const sizes = (count, limit) => Array.from({ length: Math.ceil(count / limit) || 1 }, (_, i) => Math.min(limit, count - i * limit));
// packages/contracts/src/stores/tenant/api-key-store.contract.ts
/** The contract of an `ApiKeyStore`. */
function apiKeyStoreContract(name, open, { runs = 50 } = {}) {
	describe(`API key store in ${name}`, () => {
		const world = useWorld(open);
		test("finds every key by its id, and by its hash together with its tenant", async () => {
			const w = world();
			const tenant = await w.newTenant();
			await fc.assert(fc.asyncProperty(anyApiKey(tenant.id), async (any) => {
				const createdAt = new Date(Math.min(any.createdAt.getTime(), someInstant.getTime()));
				const isActive = any.activatedAt !== null && !keyNeedsTwo(any);
				const key = {
					...any,
					createdAt,
					activatedAt: isActive ? createdAt : null
				};
				const { activatedAt, lastUsedAt, revokedAt } = key;
				if (activatedAt) expect(await w.apiKeys.issue(key, adaHash)).toBe("committed");
				else await propose(w, key);
				if (activatedAt) {
					const author = {
						actor: "ada",
						at: key.createdAt
					};
					expect(await auditOf$2(w, key)).toEqual([keyIssued(key, author, null)]);
				} else expect(await auditOf$2(w, key)).toEqual([]);
				const isNew = {
					...key,
					lastUsedAt: null,
					revokedAt: null
				};
				expect(await w.apiKeys.find(key.id)).toEqual(isNew);
				if (lastUsedAt) await w.apiKeys.touch(key, lastUsedAt);
				if (revokedAt) await w.apiKeys.revoke(key, {
					...someOperator,
					at: revokedAt
				});
				expect(await w.apiKeys.find(key.id)).toEqual(key);
				expect(await w.apiKeys.findCaller(key.hash)).toEqual({
					tenant,
					key
				});
			}), { numRuns: runs });
		});
		test("a key is issued by an operator, one with payouts:write by an admin", async () => {
			const w = world();
			const { id } = await w.newTenant();
			const paying = newKey(w, id);
			const reading = {
				...newKey(w, id),
				scopes: ["payouts:read", "webhooks:write"]
			};
			for (const [key, person] of [
				[paying, "ana"],
				[paying, "vic"],
				[reading, "vic"],
				[reading, "aud"],
				[reading, "nobody"]
			]) {
				expect(await w.apiKeys.issue(key, tokenHashOf(person))).toBe("unauthorized");
				expect(await w.apiKeys.find(key.id)).toBeUndefined();
			}
			expect(await w.apiKeys.issue(reading, tokenHashOf("ana"))).toBe("committed");
			expect(await w.apiKeys.issue(paying, adaHash)).toBe("committed");
		});
		test("a live key with payouts:write works once a second admin approves it", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const key = {
				...newKey(w, tenant.id),
				prefix: "qpu_live_"
			};
			await expect(w.apiKeys.issue(key, adaHash)).rejects.toThrow(/needs a proposal/);
			const proposed = {
				...key,
				activatedAt: null
			};
			const proposal = proposalOf$1(w, key);
			const approval = {
				at: new Date(someInstant.getTime() + 5),
				by: "ben"
			};
			const approved = {
				...proposal,
				status: "approved",
				approval
			};
			expect(await w.apiKeys.propose(key, proposal, tokenHashOf("ana"))).toBe("unauthorized");
			await expect(w.apiKeys.propose(key, proposal, tokenHashOf("ben"))).rejects.toThrow();
			expect(await w.apiKeys.propose(key, proposal, adaHash)).toBe("committed");
			expect(await w.apiKeys.findCaller(key.hash)).toEqual({
				tenant,
				key: proposed
			});
			const byOperator = {
				...approved,
				approval: {
					...approval,
					by: "eva"
				}
			};
			expect(await w.proposals.commit(byOperator, tokenHashOf("eva"))).toBe("unauthorized");
			await expect(w.proposals.commit({
				...approved,
				approval: {
					...approval,
					by: "ada"
				}
			}, adaHash)).rejects.toThrow();
			expect((await w.apiKeys.find(key.id))?.activatedAt).toBeNull();
			expect(await w.proposals.commit(approved, tokenHashOf("ben"))).toBe("committed");
			const active = {
				...key,
				activatedAt: approval.at
			};
			expect(await w.apiKeys.findCaller(key.hash)).toEqual({
				tenant,
				key: active
			});
			const status = (await w.proposals.find(proposal.id))?.status;
			expect(status).toBe("executed");
			const author = {
				actor: "ada",
				at: approval.at
			};
			expect(await auditOf$2(w, key)).toEqual([keyIssued(active, author, proposal.id)]);
			const [step, opened] = await auditEntries(w.audit, {
				subject: proposal.id,
				limit: 3
			});
			expect([step, opened]).toEqual([auditProposalStep(approved), auditProposal(proposal)]);
		});
		test("a key that replaces another one brings its expiry forward, and never back", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const old = await issuedKey(w, tenant.id);
			const replacing = async (hours, createdAt) => {
				const replaces = {
					keyId: old.id,
					overlapHours: hours
				};
				const key = {
					...newKey(w, tenant.id),
					createdAt,
					activatedAt: createdAt,
					replaces
				};
				expect(await w.apiKeys.issue(key, adaHash)).toBe("committed");
				expect(await w.apiKeys.find(key.id)).toEqual(key);
				return key;
			};
			const expiry = async () => (await w.apiKeys.find(old.id))?.expiresAt;
			const first = await replacing(24, someInstant);
			const end = new Date(someInstant.getTime() + 864e5);
			expect(await expiry()).toEqual(end);
			await replacing(720, someInstant);
			expect(await expiry()).toEqual(end);
			const later = new Date(someInstant.getTime() + 1e3);
			await replacing(0, later);
			expect(await expiry()).toEqual(later);
			const author = {
				actor: "ada",
				at: someInstant
			};
			expect((await auditOf$2(w, old)).toReversed().slice(1, 2)).toEqual([keyRotated(old, {
				id: first.id,
				replacedExpiresAt: end
			}, author)]);
			expect(await auditOf$2(w, old)).toHaveLength(4);
			expect(await auditOf$2(w, first)).toEqual([keyIssued(first, author, null)]);
		});
		test("a key replaces no key with other rights, and none of another tenant", async () => {
			const w = world();
			const [tenant, otherTenant] = [await w.newTenant(), await w.newTenant()];
			const old = await issuedKey(w, tenant.id);
			const replaces = {
				keyId: old.id,
				overlapHours: 1
			};
			for (const over of [
				{ scopes: ["payouts:read"] },
				{ prefix: "qpu_mock_" },
				{ tenantId: otherTenant.id }
			]) await expect(w.apiKeys.issue({
				...newKey(w, tenant.id),
				replaces,
				...over
			}, adaHash)).rejects.toThrow();
			expect((await w.apiKeys.find(old.id))?.expiresAt).toBeNull();
		});
		test("a live key is replaced from the approval on", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const live = {
				...newKey(w, tenant.id),
				prefix: "qpu_live_"
			};
			const at = new Date(someInstant.getTime() + 5);
			const approve = async (key) => {
				const proposal = proposalOf$1(w, key);
				expect(await w.apiKeys.propose(key, proposal, adaHash)).toBe("committed");
				expect(await w.proposals.find(proposal.id)).toEqual(proposal);
				const approval = {
					at,
					by: "ben"
				};
				const approved = {
					...proposal,
					status: "approved",
					approval
				};
				return () => w.proposals.commit(approved, tokenHashOf("ben"));
			};
			await (await approve(live))();
			const replaces = {
				keyId: live.id,
				overlapHours: 2
			};
			const next = {
				...newKey(w, tenant.id),
				prefix: "qpu_live_",
				replaces
			};
			const commit = await approve(next);
			expect((await w.apiKeys.find(live.id))?.expiresAt).toBeNull();
			expect(await commit()).toBe("committed");
			const end = new Date(at.getTime() + 72e5);
			expect((await w.apiKeys.find(live.id))?.expiresAt).toEqual(end);
			expect(await w.apiKeys.find(next.id)).toEqual({
				...next,
				activatedAt: at
			});
		});
		test("an admin sets the addresses of a key; no one else, and none of a revoked one", async () => {
			const w = world();
			const [tenant, otherTenant] = [await w.newTenant(), await w.newTenant()];
			const key = await issuedKey(w, tenant.id);
			const addresses = ["192.0.2.0/24", "2001:db8::1"];
			const set = (person, ref = key, to = addresses) => w.apiKeys.setAllowedAddresses(ref, to, {
				tokenHash: tokenHashOf(person),
				at: someInstant
			});
			for (const person of [
				"ana",
				"vic",
				"nobody"
			]) expect(await set(person)).toBe("unauthorized");
			expect(await set("ada", {
				...key,
				tenantId: otherTenant.id
			})).toBe("stale");
			expect(await w.apiKeys.find(key.id)).toEqual(key);
			expect(await set("ada")).toBe("committed");
			const limited = {
				...key,
				allowedAddresses: addresses
			};
			expect(await w.apiKeys.findCaller(key.hash)).toEqual({
				tenant,
				key: limited
			});
			expect((await auditOf$2(w, key))[0]).toEqual(keyAddressesSet(key, addresses, {
				actor: "ada",
				at: someInstant
			}));
			expect(await set("ada", key, null)).toBe("committed");
			expect(await w.apiKeys.find(key.id)).toEqual(key);
			await w.apiKeys.revoke(key, someOperator);
			expect(await set("ada")).toBe("stale");
		});
		test("no other store inserts the proposal of a key", async () => {
			const w = world();
			const { id } = await w.newTenant();
			const proposal = proposalOf$1(w, newKey(w, id));
			await expect(w.proposals.insert(proposal, adaHash)).rejects.toThrow();
		});
		test("finds nothing by an unknown id or hash", async () => {
			const w = world();
			expect(await w.apiKeys.find(w.ids.next("key", someInstant))).toBeUndefined();
			expect(await w.apiKeys.findCaller(sha256("never issued"))).toBeUndefined();
		});
		test("findCaller reads the current tenant", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const key = await issuedKey(w, tenant.id);
			const suspended = {
				...tenant,
				status: "suspended",
				revision: 2
			};
			await w.tenants.update(suspended, "tenant.suspend", someOperator);
			expect(await w.apiKeys.findCaller(key.hash)).toEqual({
				tenant: suspended,
				key
			});
		});
		test("revokes a key once, at the first instant; the key is still found", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const key = await issuedKey(w, tenant.id);
			const at = /* @__PURE__ */ new Date("2026-04-01T00:00:00.123Z");
			const author = {
				actor: "luz",
				at
			};
			expect(await w.apiKeys.revoke(key, author)).toBe("committed");
			expect(await w.apiKeys.revoke(key, {
				...author,
				at: /* @__PURE__ */ new Date()
			})).toBe("stale");
			const revoked = {
				...key,
				revokedAt: at
			};
			expect(await w.apiKeys.find(key.id)).toEqual(revoked);
			expect(await w.apiKeys.findCaller(key.hash)).toEqual({
				tenant,
				key: revoked
			});
			expect(await auditEntries(w.audit, {
				subject: key.id,
				limit: 10
			})).toEqual([keyRevoked(key, author), keyIssued(key, {
				actor: "ada",
				at: key.createdAt
			}, null)]);
		});
		test("neither revokes nor touches another tenant’s key", async () => {
			const w = world();
			const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()];
			const key = await issuedKey(w, owner.id);
			const stolen = {
				id: key.id,
				tenantId: otherTenant.id
			};
			expect(await w.apiKeys.revoke(stolen, someOperator)).toBe("stale");
			await w.apiKeys.touch(stolen, someInstant);
			expect(await w.apiKeys.find(key.id)).toEqual(key);
			expect(await auditEntries(w.audit, {
				subject: key.id,
				limit: 10
			})).toHaveLength(1);
		});
		test("concurrent touches of several keys keep the latest instant of each", async () => {
			const w = world();
			const keys = await Promise.all([
				1,
				2,
				3
			].map(async () => issuedKey(w, (await w.newTenant()).id)));
			const at = (n) => new Date(someInstant.getTime() + n);
			await Promise.all([
				5,
				9,
				7
			].flatMap((n) => keys.map((key, place) => w.apiKeys.touch(key, at(n + place)))));
			const touched = await Promise.all(keys.map(({ id }) => w.apiKeys.find(id)));
			expect(touched.map((key) => key?.lastUsedAt)).toEqual([
				at(9),
				at(10),
				at(11)
			]);
		});
		test("exactly one of many concurrent revocations commits", async () => {
			const w = world();
			const key = await issuedKey(w, (await w.newTenant()).id);
			const results = await Promise.all(Array.from({ length: 6 }, () => w.apiKeys.revoke(key, someOperator)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(await auditEntries(w.audit, {
				subject: key.id,
				limit: 10
			})).toHaveLength(2);
		});
		test("revoking an unknown key is stale and writes no audit entry", async () => {
			const w = world();
			const id = w.ids.next("key", someInstant);
			const { id: tenantId } = await w.newTenant();
			expect(await w.apiKeys.revoke({
				id,
				tenantId
			}, someOperator)).toBe("stale");
			expect(await auditEntries(w.audit, {
				subject: id,
				limit: 10
			})).toEqual([]);
		});
		test("lastUsedAt never moves back", async () => {
			const w = world();
			const key = await issuedKey(w, (await w.newTenant()).id);
			const [early, late] = [/* @__PURE__ */ new Date("2026-04-01T00:00:00.001Z"), /* @__PURE__ */ new Date("2026-04-02T00:00:00.002Z")];
			const lastUse = async (at) => {
				await w.apiKeys.touch(key, at);
				return (await w.apiKeys.find(key.id))?.lastUsedAt;
			};
			expect(await lastUse(early)).toEqual(early);
			expect(await lastUse(late)).toEqual(late);
			expect(await lastUse(early)).toEqual(late);
			await w.apiKeys.touch({
				...key,
				id: w.ids.next("key", someInstant)
			}, late);
		});
		test("lists only the tenant’s keys, newest first, in pages", async () => {
			const w = world();
			const [owner, otherTenant] = [await w.newTenant(), await w.newTenant()];
			const keys = [];
			for (const ms of [
				5,
				1,
				3,
				3,
				3,
				0
			]) keys.push(await issuedKey(w, owner.id, new Date(someInstant.getTime() + ms)));
			const foreign = await issuedKey(w, otherTenant.id);
			await expectPages(keys, (query) => w.apiKeys.list(owner.id, query));
			await expectPages([foreign], (query) => w.apiKeys.list(otherTenant.id, query));
		});
		test("lists nothing for a tenant without keys", async () => {
			const w = world();
			const { id } = await w.newTenant();
			expect(await w.apiKeys.list(id, { limit: 10 })).toEqual({
				items: [],
				next: null
			});
		});
	});
}
const adaHash = tokenHashOf("ada");
const auditOf$2 = ({ audit }, { id }) => auditEntries(audit, {
	subject: id,
	limit: 10
});
/** The proposal of `ada` to issue this key. */
const proposalOf$1 = (w, key) => {
	const { tenantId, name, lastFour, scopes, expiresAt, replaces, allowedAddresses } = key;
	const id = w.ids.next("prp", someInstant);
	return {
		...openProposalOf({
			id,
			tenantId,
			actor: "ada",
			reason: "sale a producción"
		}, {
			type: "issue_api_key",
			keyId: key.id,
			name,
			lastFour,
			scopes,
			expiresAt,
			replaces,
			allowedAddresses
		}),
		createdAt: key.createdAt,
		expiresAt: /* @__PURE__ */ new Date("9999-01-01T00:00:00.000Z")
	};
};
async function propose(w, key) {
	expect(await w.apiKeys.propose(key, proposalOf$1(w, key), adaHash)).toBe("committed");
}
async function issuedKey(w, tenantId, createdAt = someInstant) {
	const key = {
		...newKey(w, tenantId),
		createdAt,
		activatedAt: createdAt
	};
	expect(await w.apiKeys.issue(key, adaHash)).toBe("committed");
	return key;
}
// packages/contracts/src/stores/tenant/audit-log.contract.ts
/** The contract of an `AuditLog`. The suite of each store proves the entries that it writes. */
function auditLogContract(name, open, { runs = 50 } = {}) {
	describe(`audit log in ${name}`, () => {
		const world = useWorld(open, "each");
		test("reads back every entry as written, chained to the one before", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyEntry, async (entry) => {
				await w.audit.record(entry);
				const [written, before = auditStart] = await w.audit.list({ limit: 2 });
				expect(written).toEqual({
					...entry,
					...nextPosition(before, entry)
				});
			}), { numRuns: runs });
		});
		test("lists the newest first, filtered, at most `limit`", async () => {
			const w = world();
			const at = (seconds) => new Date(someInstant.getTime() + seconds * 1e3);
			for (const n of [
				1,
				2,
				3,
				4,
				5
			]) await w.audit.record({
				actor: n < 3 ? "ana" : "omar",
				at: at(n),
				before: null,
				action: n === 4 ? "operator.fail_login" : "operator.refuse",
				subject: n % 2 === 0 ? "even" : "odd",
				tenantId: n < 4 ? "ten_1" : null,
				after: { n }
			});
			const numbers = async (query) => (await w.audit.list(query)).map(({ after }) => after?.["n"]);
			expect(await numbers({
				subject: "odd",
				limit: 10
			})).toEqual([
				5,
				3,
				1
			]);
			expect(await numbers({
				subject: "odd",
				limit: 2
			})).toEqual([5, 3]);
			expect(await numbers({
				subject: "none",
				limit: 10
			})).toEqual([]);
			const ofTenant = {
				tenantId: "ten_1",
				limit: 10
			};
			expect(await numbers(ofTenant)).toEqual([
				3,
				2,
				1
			]);
			expect(await numbers({
				...ofTenant,
				limit: 2
			})).toEqual([3, 2]);
			expect(await numbers({
				...ofTenant,
				subject: "odd"
			})).toEqual([3, 1]);
			expect(await numbers({
				actor: "ana",
				limit: 10
			})).toEqual([2, 1]);
			expect(await numbers({
				action: "operator.fail_login",
				limit: 10
			})).toEqual([4]);
			expect(await numbers({
				from: at(2),
				to: at(4),
				limit: 10
			})).toEqual([
				4,
				3,
				2
			]);
			expect(await numbers({
				before: 3n,
				limit: 1
			})).toEqual([2]);
			const every = {
				...ofTenant,
				subject: "odd",
				actor: "ana",
				action: "operator.refuse"
			};
			expect(await numbers({
				...every,
				from: at(1),
				to: at(3),
				before: 3n
			})).toEqual([1]);
			expect(await numbers({ limit: 100 })).toEqual([
				5,
				4,
				3,
				2,
				1
			]);
		});
	});
}
const anyState = fc.option(fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), fc.oneof(anyText, fc.integer(), fc.array(anyText, { maxLength: 3 }), fc.constant(null)), { noNullPrototype: true }));
const anyEntry = fc.record({
	actor: fc.option(anyText),
	action: fc.constantFrom("operator.refuse", "operator.fail_login"),
	tenantId: fc.option(anyText),
	subject: anyText,
	at: anyInstant,
	before: fc.constant(null),
	after: anyState
});
// packages/contracts/src/fixtures/webhook/subscriber.ts
/**
* Subscribers over one database that the tests of a `describe` share. Claims see the deliveries of all tenants,
* so each test's endpoints are removed after it.
*/
function useSubscribers(open) {
	const world = useWorld(open);
	const tenants = /* @__PURE__ */ new Set();
	afterEach(async () => {
		const { webhooks } = world();
		for (const tenantId of tenants) {
			const { items } = await webhooks.list(tenantId, { limit: 100 });
			for (const { id } of items) await webhooks.remove(tenantId, id);
		}
		tenants.clear();
	});
	const clean = (tenantId) => void tenants.add(tenantId);
	return {
		world,
		clean,
		newSubscriber: async () => {
			const subscriber = await openSubscriber(world());
			clean(subscriber.tenantId);
			return subscriber;
		}
	};
}
const allDue = {
	limit: 100,
	leaseSeconds: 30,
	perEndpoint: 100,
	perTenant: 100,
	deliveryClass: "fast",
	catchUpPerSecond: 1e6
};
async function openSubscriber(world) {
	const tenantId = await world.newWallet(usdt(0n));
	const quote = await world.newQuote(tenantId);
	const { webhooks, deliveries, payouts, ids } = world;
	const claimDue = (over) => deliveries.claimDue({
		...allDue,
		...over
	});
	const claimOne = async (over) => {
		const [claimed, ...others] = await claimDue({
			limit: 1,
			...over
		});
		expect(others).toEqual([]);
		if (!claimed) throw new Error("nothing is due");
		return claimed;
	};
	const record = (claimed, over) => deliveries.record({
		claim: claimed.claim,
		attempt: {
			at: someInstant,
			statusCode: 200,
			latencyMs: 12,
			error: null,
			excerpt: "ok"
		},
		decision: { type: "delivered" },
		isSlow: false,
		pauseAfter: 5,
		alertAfterSeconds: 900,
		...over
	});
	const emitEvent = async (type = "payout.cancelled") => {
		const write = type === "payout.cancelled" ? world.insertEndedCommit(quote, { at: someInstant }) : await failing();
		const { payout } = write.step;
		const event = newEvent(payout, type, ids, payout.endedAt);
		const step = {
			...write.step,
			event
		};
		expect(await payouts.commit({
			...write,
			step
		})).toBe("committed");
		return event.id;
	};
	/** The commit that fails a payout. */
	const failing = async () => {
		await adjustWallet(world, {
			direction: "in",
			reason: "funds",
			actor: "test",
			amount: usdt(1000000000n),
			id: ids.uuid(someInstant),
			tenantId
		});
		const payout = await world.newPayout(await world.newQuote(tenantId));
		return world.settleCommit(payout, { type: "refused_payment" });
	};
	const exhaust = async () => record(await claimOne(), {
		attempt: failedAttempt,
		decision: { type: "exhausted" }
	});
	return {
		tenantId,
		newEndpoint: async (over = {}) => {
			const endpoint = {
				...someEndpoint,
				id: ids.next("we", someInstant),
				tenantId,
				...over
			};
			const secrets = [{
				ciphertext: `1.${endpoint.id}`,
				createdAt: someInstant,
				expiresAt: null
			}];
			expect(await webhooks.insert({
				endpoint,
				secrets
			}, defaultEndpointPolicy)).toBe("committed");
			return endpoint;
		},
		emitEvent,
		emitEvents: async (count) => {
			const made = [];
			for (let i = 0; i < count; i++) made.push(await emitEvent());
			return made;
		},
		claimDue,
		claimOne,
		record,
		exhaust,
		pause: async () => {
			for (let i = 0; i < 5; i++) {
				await emitEvent();
				await exhaust();
			}
		},
		reactivate: async (id) => {
			const done = await webhooks.reactivate(tenantId, id, defaultEndpointPolicy, someInstant);
			if (!done || done === "paused_by_operator") throw new Error(`${done ?? "no endpoint"}: ${id}`);
			return done;
		}
	};
}
const failedAttempt = {
	at: someInstant,
	statusCode: 500,
	latencyMs: 8,
	error: "STATUS",
	excerpt: "no – ñ"
};
/** A failed attempt with a retry after this delay. */
const retryIn = (inMs) => ({
	attempt: failedAttempt,
	decision: {
		type: "retry",
		inMs
	}
});
const someEndpoint = {
	url: "https://hooks.example/quipu?a=ñ",
	events: null,
	description: "Contabilidad",
	status: "active",
	consecutiveFailures: 0,
	pausedAt: null,
	operatorPause: null,
	createdAt: someInstant,
	updatedAt: someInstant
};
// packages/contracts/src/fixtures/deposit/observed-transfers.ts
/** The block of this number and branch. Blocks are three seconds apart. */
const blockRef = (number, branch = "main") => ({
	number,
	id: hashOf(`block ${number} of ${branch}`),
	at: new Date(someInstant.getTime() + number * 3e3)
});
/** A transfer to this address, by default of 25 USDT in its own transaction. */
function newObservedTransfer({ ids }, topUp, options = {}) {
	const at = options.createdAt ?? someInstant;
	const id = ids.next("dep", at);
	const from = options.from ?? accountOf("sender");
	const expiresAt = options.expiresAt ?? blockRef((options.block ?? 101) + 20).at;
	const transfer = {
		txHash: options.txHash ?? hashOf(id),
		index: options.index ?? 0,
		from,
		to: topUp.account,
		value: options.value ?? 25000000n,
		expiresAt
	};
	const step = openDeposit(transfer, topUp, {
		id,
		fromAddress: testAddresses.format(from),
		at
	});
	const event = newEvent(step.deposit, step.event, ids);
	return {
		step: {
			...step,
			event
		},
		sender: from,
		block: options.block ?? 101,
		expiresAt
	};
}
/** The reference of an observed transfer. */
const refOf$1 = ({ step }) => {
	const { chain, txHash, transferIndex } = step.deposit;
	return {
		chain,
		txHash,
		transferIndex
	};
};
/** @param first the number of the first scanned block */
async function scanner({ scans }, view, first = 100) {
	const claimed = await scans.claim("tron", view, 1e6);
	if (claimed === void 0) throw new Error(`the ${view} scan is leased already`);
	const { claim } = claimed;
	let { at } = claimed;
	const nextAdvance = (over = {}) => ({
		from: at,
		blocks: [blockRef(at === void 0 ? first : at.number + 1)],
		observedTransfers: [],
		gone: [],
		...over
	});
	return {
		claim,
		nextAdvance,
		scan: async (over) => {
			const write = nextAdvance(over);
			const result = await scans.advance(claim, write);
			if (result.type === "stale") throw new Error("another worker has leased the scan");
			at = write.blocks.at(-1);
			expect(await scans.at("tron", view)).toEqual(at);
			return result.contradicted;
		}
	};
}
// packages/contracts/src/fixtures/deposit/deposit-builders.ts
const nothingWrong = {
	isGone: false,
	tenantStatus: "active",
	isAddressRetired: false,
	isSenderBlocked: false,
	isSenderService: false,
	tokenState: "normal",
	doSourcesDisagree: false,
	isAboveUnverifiedLimit: false
};
async function depositBuilders(w) {
	const tenantId = (await w.newTenant()).id;
	return fundingOf$1(w, await newTopUp(w, tenantId), {
		head: await scanner(w, "head"),
		solid: await scanner(w, "solid")
	});
}
/** Builders for another tenant, with the same scans. */
const buildersOfAnotherTenant = async (w, scans) => fundingOf$1(w, await newTopUp(w, (await w.newTenant()).id), scans);
function fundingOf$1(w, topUp, { head, solid }) {
	const seenIn = async (view, optionsList) => {
		const observedTransfers = (optionsList.length > 0 ? optionsList : [{}]).map((options) => newObservedTransfer(w, topUp, options));
		await view.scan({ observedTransfers });
		return observedTransfers.map(({ step }) => step.deposit);
	};
	const claimOne = async () => {
		const [claimed] = await w.deposits.claimDue(1, 100);
		if (claimed === void 0) throw new Error("no deposit is due");
		return claimed;
	};
	async function settled(options, facts) {
		await seenIn(solid, [options]);
		const write = settleDepositCommit(w, await claimOne(), facts);
		expect(await w.deposits.commit(write)).toBe("committed");
		return write.step.deposit;
	}
	return {
		tenantId: topUp.tenantId,
		topUp,
		head,
		solid,
		pending: (...optionsList) => seenIn(head, optionsList),
		due: (...optionsList) => seenIn(solid, optionsList),
		gone: async (options = {}) => {
			const observed = newObservedTransfer(w, topUp, options);
			await head.scan({ observedTransfers: [observed] });
			await solid.scan({ gone: [refOf$1(observed)] });
			return observed.step.deposit;
		},
		claimOne,
		credited: async (options = {}) => {
			const deposit = await settled(options, {});
			if (deposit.status !== "credited") throw new Error(`it is in review: ${deposit.reviewCode}`);
			return deposit;
		},
		inReview: async (options = {}, facts = { isSenderBlocked: true }) => {
			const deposit = await settled(options, facts);
			if (deposit.status !== "in_review") throw new Error("it was credited");
			return deposit;
		}
	};
}
/** The commit that settles a claimed deposit; it credits it unless `facts` say otherwise. */
function settleDepositCommit({ ids }, { claim, deposit, solid }, facts = {}, at = laterInstant) {
	const step = decideDeposit(deposit, {
		...nothingWrong,
		isGone: solid.type === "gone",
		...facts
	}, defaultDepositRules, at);
	const event = newEvent(deposit, step.event, ids, at);
	return {
		kind: "settle",
		step: {
			...step,
			event
		},
		claim
	};
}
/** The commit of a credit, whose proposal is stored and approved. */
async function creditDepositCommit(world, deposit, at = laterInstant) {
	if (!isOpenReview(deposit) || !isCreditableReview(deposit)) throw new Error("it cannot be credited");
	const event = newEvent(deposit, "deposit.credited", world.ids, at);
	const step = creditDeposit(deposit, at);
	const author = await approveResolution(world, deposit, "credit_deposit", "dueña conocida 💸");
	return {
		kind: "credit",
		step: {
			...step,
			event
		},
		...author
	};
}
/** The commit of a close, whose proposal is stored and approved. */
async function closeReviewCommit(world, deposit, reason = "sent back") {
	if (!isOpenReview(deposit)) throw new Error("it is closed already");
	const { proposalId, actor } = await approveResolution(world, deposit, "close_deposit", reason);
	return {
		kind: "close",
		step: closeReview(deposit, {
			at: someInstant,
			actor,
			reason
		}),
		proposalId
	};
}
async function approveResolution(world, { id: depositId, tenantId, amount }, type, reason) {
	const author = {
		id: world.ids.next("prp", someInstant),
		tenantId,
		actor: "ana",
		reason
	};
	await approveAction(world, author, {
		type,
		depositId,
		amount
	});
	return {
		proposalId: author.id,
		actor: author.actor,
		reason
	};
}
// packages/contracts/src/fixtures/difference/found-difference.ts
/** What a run of the network check may find; 5.00 BOB less than expected. */
const foundDifference = (ids, over = {}) => ({
	id: ids.next("dif", /* @__PURE__ */ new Date("2026-03-04T05:06:07.089Z")),
	check: "network",
	kind: "amount",
	scope: "",
	tenantId: null,
	subject: "po_1",
	detail: "paid 95.00 BOB instead of 100.00 BOB: -5.00 BOB off",
	expected: bob(10000n),
	found: bob(9500n),
	...over
});
// packages/contracts/src/stores/backlog-store.contract.ts
/** The contract of a `BacklogStore`. */
function backlogStoreContract(name, open) {
	describe(`backlog in ${name}`, () => {
		const world = useWorld(open, "each");
		const nothing = {
			count: 0,
			oldestSeconds: 0
		};
		const dueOf = ({ deliveries }) => deliveryPaces.map((pace) => deliveries[pace].count);
		test("an empty database has an empty backlog", async () => {
			expect(await world().backlog.read()).toEqual({
				payouts: nothing,
				deliveries: {
					fast: nothing,
					slow: nothing,
					catching_up: nothing
				},
				pausedEndpoints: 0,
				failingEndpoints: nothing,
				notices: nothing,
				isQuotingPaused: false,
				depositsInReview: 0,
				differences: {
					ledger: nothing,
					audit: nothing,
					network: nothing,
					chain: nothing,
					liquidity: nothing
				},
				ledger: {
					uncheckedSeconds: 0,
					unrecheckedSeconds: 0,
					driftMicroUsdt: 0n
				},
				reconciliations: [],
				scans: []
			});
		});
		test("counts the unsettled payouts of all tenants, aged by the store’s clock", async () => {
			const w = world();
			const payouts = [];
			for (const skewMs of [
				0,
				-36e5,
				36e5
			]) {
				const tenantId = await w.newWallet(usdt(100000000n));
				const createdAt = new Date(Date.UTC(2026, 0, 1) + skewMs);
				payouts.push(await w.newPayout(await w.newQuote(tenantId), { createdAt }));
				await w.advance(10);
			}
			expect((await w.backlog.read()).payouts).toEqual({
				count: 3,
				oldestSeconds: 30
			});
			await w.advance(60);
			expect((await w.backlog.read()).payouts).toEqual({
				count: 3,
				oldestSeconds: 90
			});
			const [oldest] = payouts;
			if (oldest) await w.payouts.commit(w.settleCommit(oldest, paidAnswer(oldest)));
			expect((await w.backlog.read()).payouts).toEqual({
				count: 2,
				oldestSeconds: 80
			});
		});
		test("counts active endpoints that have failed for long, aged since their first failed attempt", async () => {
			const w = world();
			const subscriber = await openSubscriber(w);
			await subscriber.newEndpoint();
			await subscriber.emitEvent();
			const fail = async () => {
				const claimed = await subscriber.claimOne({ leaseSeconds: 60 });
				await subscriber.record(claimed, retryIn(0));
			};
			await fail();
			await w.advance(900);
			expect((await w.backlog.read()).failingEndpoints).toEqual(nothing);
			await fail();
			await w.advance(10);
			expect((await w.backlog.read()).failingEndpoints).toEqual({
				count: 1,
				oldestSeconds: 910
			});
			await subscriber.record(await subscriber.claimOne());
			expect((await w.backlog.read()).failingEndpoints).toEqual(nothing);
		});
		test("counts due deliveries, but not leased ones nor those of paused endpoints", async () => {
			const w = world();
			const subscriber = await openSubscriber(w);
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(3);
			const before = (await w.backlog.read()).deliveries.fast;
			await w.advance(60);
			const after = (await w.backlog.read()).deliveries.fast;
			expect(after).toEqual({
				count: 3,
				oldestSeconds: before.oldestSeconds + 60
			});
			const claimed = await subscriber.claimOne();
			expect(dueOf(await w.backlog.read())).toEqual([
				2,
				0,
				0
			]);
			await subscriber.record(claimed, { isSlow: true });
			expect(dueOf(await w.backlog.read())).toEqual([
				0,
				2,
				0
			]);
			await subscriber.claimDue({ deliveryClass: "slow" });
			await w.advance(31);
			for (let n = 0; n < 5; n++) {
				await subscriber.emitEvent();
				const one = await subscriber.claimOne({ deliveryClass: "slow" });
				await subscriber.record(one, {
					decision: { type: "exhausted" },
					isSlow: true
				});
			}
			const paused = await w.backlog.read();
			expect([dueOf(paused), paused.pausedEndpoints]).toEqual([[
				0,
				0,
				0
			], 1]);
			await subscriber.reactivate(id);
			await w.advance(1);
			const active = await w.backlog.read();
			expect([dueOf(active), active.pausedEndpoints]).toEqual([[
				0,
				0,
				7
			], 0]);
		});
		test("counts a deposit in review until an operator credits or closes it", async () => {
			const w = world();
			const { inReview } = await depositBuilders(w);
			const deposits = [await inReview(), await inReview()];
			expect((await w.backlog.read()).depositsInReview).toBe(2);
			const [deposit] = deposits;
			if (deposit) await w.deposits.commit(await closeReviewCommit(w, deposit));
			expect((await w.backlog.read()).depositsInReview).toBe(1);
		});
		test("counts the open differences of each check, aged by the store’s clock", async () => {
			const w = world();
			const at = /* @__PURE__ */ new Date(0);
			const found = [foundDifference(w.ids), foundDifference(w.ids, { check: "chain" })];
			await w.differences.record(found, at);
			const before = (await w.backlog.read()).differences;
			expect([
				before.network.count,
				before.chain.count,
				before.liquidity
			]).toEqual([
				1,
				1,
				nothing
			]);
			await w.advance(60);
			const after = (await w.backlog.read()).differences;
			expect(after.network.oldestSeconds - before.network.oldestSeconds).toBeCloseTo(60);
			await w.differences.close(found[0]?.id ?? "", {
				by: "ana",
				at,
				reason: "explained",
				proposalId: null
			});
			await w.differences.resolveUnseen({
				check: "chain",
				scope: ""
			}, new Date(at.getTime() + 1));
			const ended = (await w.backlog.read()).differences;
			expect([ended.network, ended.chain]).toEqual([nothing, nothing]);
		});
		test("has the age and the counts of the newest completed run of each check", async () => {
			const w = world();
			await w.newTenant();
			const { reconciliations } = w;
			const at = /* @__PURE__ */ new Date("2126-01-01T00:00:00.000Z");
			for (const compared of [5, 7]) {
				const id = w.ids.next("rcn", at);
				const asked = {
					scheduledFor: null,
					requestedBy: "ana",
					createdAt: at,
					position: 0
				};
				await reconciliations.open({
					id,
					check: "chain",
					period: null,
					...asked
				});
				const claimed = await reconciliations.claimDue(["chain"], 60);
				const slice = {
					position: 1,
					compared,
					differences: 0,
					isLast: true
				};
				const completedAt = new Date(at.getTime() + compared);
				if (claimed) await reconciliations.advance(claimed.claim, slice, completedAt);
			}
			expect((await w.backlog.read()).reconciliations).toEqual([{
				check: "chain",
				completedSeconds: 0,
				slices: 1,
				compared: 7
			}]);
		});
		test("a scan is behind by the age of its last block; a scan without a block is not listed", async () => {
			const w = world();
			const { head } = await depositBuilders(w);
			expect((await w.backlog.read()).scans).toEqual([]);
			await head.scan();
			await w.advance(2592e3);
			const [before] = (await w.backlog.read()).scans;
			await w.advance(60);
			const behindSeconds = (before?.behindSeconds ?? 0) + 60;
			expect((await w.backlog.read()).scans).toEqual([{
				chain: "tron",
				view: "head",
				behindSeconds
			}]);
		});
	});
}
// packages/contracts/src/stores/webhook/claim-delivery.contract.ts
const eventIds = (claimed) => claimed.map(({ claim }) => claim.eventId).toSorted();
function claimDeliveryTests(open) {
	describe("claiming", () => {
		const { world, newSubscriber } = useSubscribers(open);
		test("an event has one delivery for each endpoint of its tenant whose filter matches", async () => {
			const subscriber = await newSubscriber();
			await (await newSubscriber()).newEndpoint();
			const all = await subscriber.newEndpoint();
			const some = await subscriber.newEndpoint({ events: ["payout.cancelled", "deposit.credited"] });
			await subscriber.newEndpoint({ events: ["payout.completed"] });
			const eventId = await subscriber.emitEvent("payout.cancelled");
			await subscriber.newEndpoint();
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ claim }) => claim.endpointId).toSorted()).toEqual([all.id, some.id].toSorted());
			const event = await world().events.get(subscriber.tenantId, eventId);
			for (const each of claimed) {
				expect(each).toMatchObject({
					claim: { eventId },
					tenantId: subscriber.tenantId,
					url: all.url,
					attempt: 1,
					isResend: false,
					lostLeases: 0
				});
				expect([...each.body]).toEqual([...event?.body ?? []]);
				const ciphertext = `1.${each.claim.endpointId}`;
				expect(each.secrets).toEqual([{
					ciphertext,
					createdAt: all.createdAt,
					expiresAt: null
				}]);
			}
		});
		test("an endpoint gets the events that its filter matched when they were committed", async () => {
			const subscriber = await newSubscriber();
			const { webhooks, deliveries } = world();
			const { id } = await subscriber.newEndpoint({ events: ["payout.cancelled"] });
			const filterTo = (events) => webhooks.update(subscriber.tenantId, id, { events }, someInstant);
			const wanted = await subscriber.emitEvents(3);
			await filterTo(["payout.failed"]);
			const unwanted = await subscriber.emitEvents(2);
			await filterTo(["deposit.credited"]);
			await filterTo(null);
			wanted.push(...await subscriber.emitEvents(2));
			await filterTo([]);
			unwanted.push(await subscriber.emitEvent());
			expect(await webhooks.queued(subscriber.tenantId, id)).toBe(5);
			const { items } = await deliveries.list(subscriber.tenantId, id, { limit: 9 });
			expect(items.map(({ eventId }) => eventId).toSorted()).toEqual(wanted.toSorted());
			for (const eventId of unwanted) expect(await deliveries.get(subscriber.tenantId, {
				endpointId: id,
				eventId
			})).toBeUndefined();
			const claimed = [
				...await subscriber.claimDue({ limit: 2 }),
				...await subscriber.claimDue(),
				...await subscriber.claimDue()
			];
			expect(eventIds(claimed)).toEqual(wanted.toSorted());
			expect(await subscriber.claimDue()).toEqual([]);
		});
		test("a claimed delivery is claimed again only after its lease ends without a recorded attempt", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			await subscriber.emitEvent();
			const first = await subscriber.claimOne({ leaseSeconds: 30 });
			expect(await subscriber.claimDue()).toEqual([]);
			await world().advance(28);
			expect(await subscriber.claimDue()).toEqual([]);
			await world().advance(3);
			const second = await subscriber.claimOne();
			expect(second).toMatchObject({
				attempt: 1,
				lostLeases: 1
			});
			expect(second.claim.fencingToken).toBeGreaterThan(first.claim.fencingToken);
			expect(await subscriber.record(first)).toEqual({ type: "stale" });
			expect(await subscriber.record(second)).toMatchObject({ type: "recorded" });
		});
		test("concurrent workers never claim the same delivery", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			const made = await subscriber.emitEvents(12);
			const held = (await Promise.all(Array.from({ length: 6 }, () => subscriber.claimDue({
				limit: 4,
				perEndpoint: 12
			})))).flatMap(eventIds);
			expect(new Set(held).size).toBe(held.length);
			const rest = eventIds(await subscriber.claimDue());
			expect([...held, ...rest].toSorted()).toEqual(made.toSorted());
		});
		test("at most `perEndpoint` deliveries of an endpoint are claimed at once", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			await subscriber.emitEvents(5);
			const [first] = await subscriber.claimDue({ perEndpoint: 2 });
			expect(await subscriber.claimDue({ perEndpoint: 2 })).toEqual([]);
			if (first) await subscriber.record(first);
			expect(await subscriber.claimDue({ perEndpoint: 2 })).toHaveLength(1);
			expect(await subscriber.claimDue({ perEndpoint: 4 })).toHaveLength(2);
		});
		test("the backlog of one endpoint does not delay other endpoints", async () => {
			const busy = await newSubscriber();
			await busy.newEndpoint();
			await busy.emitEvents(30);
			const others = [
				await newSubscriber(),
				await newSubscriber(),
				await newSubscriber()
			];
			for (const other of others) {
				await other.newEndpoint();
				await other.emitEvent();
			}
			const claimed = await busy.claimDue({
				limit: 8,
				perEndpoint: 4
			});
			const tenants = new Set(claimed.map(({ tenantId }) => tenantId));
			expect(tenants).toEqual(new Set([busy, ...others].map(({ tenantId }) => tenantId)));
		});
		test("at most `perTenant` deliveries of a tenant are claimed at once, over all its endpoints", async () => {
			const [large, small] = [await newSubscriber(), await newSubscriber()];
			for (let n = 0; n < 4; n++) await large.newEndpoint();
			await small.newEndpoint();
			await large.emitEvents(3);
			await small.emitEvent();
			const query = {
				perEndpoint: 2,
				perTenant: 5
			};
			const claimed = await large.claimDue(query);
			const ofLarge = claimed.filter(({ tenantId }) => tenantId === large.tenantId);
			expect(ofLarge).toHaveLength(5);
			expect(claimed).toHaveLength(6);
			expect(await large.claimDue(query)).toEqual([]);
			for (const each of ofLarge.slice(0, 2)) await large.record(each);
			expect(await large.claimDue(query)).toHaveLength(2);
		});
		test("the endpoints of a tenant take turns within `perTenant`", async () => {
			const subscriber = await newSubscriber();
			const ids = [
				await subscriber.newEndpoint(),
				await subscriber.newEndpoint(),
				await subscriber.newEndpoint()
			];
			await subscriber.emitEvents(2);
			const turns = [];
			for (let n = 0; n < ids.length; n++) {
				const [claimed, ...more] = await subscriber.claimDue({ perTenant: 1 });
				expect(more).toEqual([]);
				if (!claimed) throw new Error("no delivery is due");
				turns.push(claimed.claim.endpointId);
				await subscriber.record(claimed);
			}
			expect(turns.toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
		});
		test("`perTenant` applies to each delivery class by itself", async () => {
			const subscriber = await newSubscriber();
			const slow = await subscriber.newEndpoint();
			await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne(), { isSlow: true });
			const fast = await subscriber.newEndpoint();
			await subscriber.emitEvents(3);
			const classes = [["slow", slow], ["fast", fast]];
			for (const [deliveryClass, { id }] of classes) {
				const claimed = await subscriber.claimDue({
					deliveryClass,
					perTenant: 2
				});
				expect(claimed.map(({ claim }) => claim.endpointId)).toEqual([id, id]);
				expect(await subscriber.claimDue({
					deliveryClass,
					perTenant: 2
				})).toEqual([]);
			}
		});
		test("endpoints take turns when `limit` is too low for all", async () => {
			const subscribers = [
				await newSubscriber(),
				await newSubscriber(),
				await newSubscriber()
			];
			for (const subscriber of subscribers) {
				await subscriber.newEndpoint();
				await subscriber.emitEvents(3);
			}
			const [any] = subscribers;
			const turns = [];
			for (let i = 0; i < 6; i++) {
				const claimed = await any?.claimDue({
					limit: 1,
					perEndpoint: 9
				});
				turns.push(claimed?.[0]?.tenantId ?? "none");
			}
			expect(new Set(turns.slice(0, 3)).size).toBe(3);
			expect(turns.slice(3)).toEqual(turns.slice(0, 3));
		});
		test("a claim continues after the endpoint that was served last, and wraps around", async () => {
			const subscribers = [
				await newSubscriber(),
				await newSubscriber(),
				await newSubscriber()
			];
			for (const subscriber of subscribers) {
				await subscriber.newEndpoint();
				await subscriber.emitEvents(7);
			}
			const served = [];
			for (let i = 0; i < 6; i++) {
				const claimed = await subscribers[0].claimDue({
					limit: 2,
					perEndpoint: 1
				});
				served.push(...claimed.map(({ tenantId }) => tenantId));
				for (const each of claimed) await subscribers[0].record(each);
			}
			for (const subscriber of subscribers) expect(served.filter((id) => id === subscriber.tenantId)).toHaveLength(4);
		});
		test("claims the delivery of an endpoint that has been due for longest", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			const early = await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne(), retryIn(6e4));
			await world().advance(30);
			const late = await subscriber.emitEvent();
			await world().advance(60);
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ claim }) => claim.eventId)).toEqual([late, early]);
		});
		test("an endpoint is in class slow after a slow or failed attempt, until it answers quickly", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			await subscriber.emitEvents(3);
			expect(await subscriber.claimDue({ deliveryClass: "slow" })).toEqual([]);
			await subscriber.record(await subscriber.claimOne(), { isSlow: true });
			expect(await subscriber.claimDue({ deliveryClass: "fast" })).toEqual([]);
			await subscriber.record(await subscriber.claimOne({ deliveryClass: "slow" }), { isSlow: false });
			expect(await subscriber.claimDue({ deliveryClass: "slow" })).toEqual([]);
			expect(await subscriber.claimDue({ deliveryClass: "fast" })).toHaveLength(1);
		});
	});
}
// packages/contracts/src/stores/webhook/enqueue-delivery.contract.ts
function enqueueDeliveryTests(open) {
	describe("enqueueing", () => {
		const { world, newSubscriber } = useSubscribers(open);
		test("an enqueued delivery can be claimed by its ids only, once", async () => {
			const subscriber = await newSubscriber();
			const { deliveries } = world();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const handed = await deliveries.enqueue(allDue);
			expect(handed).toEqual([{
				endpointId,
				eventId,
				tenantId: subscriber.tenantId
			}]);
			expect(await deliveries.enqueue(allDue)).toEqual([]);
			expect(await subscriber.claimDue()).toEqual([]);
			const ref = {
				endpointId,
				eventId
			};
			const [claimed, ...more] = (await Promise.all([
				1,
				2,
				3
			].map(() => deliveries.claim(ref, 30)))).filter((copy) => copy !== void 0);
			expect(more).toEqual([]);
			expect(claimed).toMatchObject({
				claim: ref,
				attempt: 1,
				lostLeases: 0
			});
			if (claimed) await subscriber.record(claimed);
			expect(await deliveries.claim(ref, 30)).toBeUndefined();
		});
		test("an enqueued delivery that is not claimed is due again after `leaseSeconds`", async () => {
			const subscriber = await newSubscriber();
			const { deliveries, advance } = world();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			await deliveries.enqueue({
				...allDue,
				leaseSeconds: 60
			});
			await advance(58);
			expect(await subscriber.claimDue()).toEqual([]);
			await advance(3);
			expect(await deliveries.enqueue(allDue)).toMatchObject([{
				endpointId,
				eventId
			}]);
		});
		test("requeue makes deliveries due at once, except claimed ones", async () => {
			const subscriber = await newSubscriber();
			const { deliveries } = world();
			await subscriber.newEndpoint();
			await subscriber.emitEvents(2);
			const [one, other] = await deliveries.enqueue(allDue);
			if (!one || !other) throw new Error("two were due");
			const claimed = await deliveries.claim(one, 30);
			await deliveries.requeue([one, other]);
			expect(await subscriber.claimDue()).toMatchObject([{ claim: { eventId: other.eventId } }]);
			expect(await deliveries.claim(one, 30)).toBeUndefined();
			if (claimed) expect(await subscriber.record(claimed)).toMatchObject({ type: "recorded" });
		});
		test("enqueued deliveries count towards `perEndpoint` and `perTenant`", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			await subscriber.emitEvents(5);
			const query = {
				...allDue,
				perEndpoint: 3
			};
			expect(await world().deliveries.enqueue(query)).toHaveLength(3);
			expect(await world().deliveries.enqueue(query)).toEqual([]);
			expect(await subscriber.claimDue({ perEndpoint: 3 })).toEqual([]);
			expect(await subscriber.claimDue({ perTenant: 3 })).toEqual([]);
		});
		test("claim by ids finds nothing that is not due, paused, unknown or removed", async () => {
			const subscriber = await newSubscriber();
			const { deliveries, webhooks } = world();
			const { id: endpointId } = await subscriber.newEndpoint();
			const ref = {
				endpointId,
				eventId: await subscriber.emitEvent()
			};
			const unknown = world().ids.uuid(/* @__PURE__ */ new Date());
			expect(await deliveries.claim({
				endpointId,
				eventId: unknown
			}, 30)).toBeUndefined();
			const claimed = await subscriber.claimOne();
			await subscriber.record(claimed, { decision: {
				type: "retry",
				inMs: 6e4
			} });
			expect(await deliveries.claim(ref, 30)).toBeUndefined();
			await subscriber.pause();
			await world().advance(61);
			expect(await deliveries.claim(ref, 30)).toBeUndefined();
			await subscriber.reactivate(endpointId);
			await webhooks.remove(subscriber.tenantId, endpointId);
			expect(await deliveries.claim(ref, 30)).toBeUndefined();
			expect(await subscriber.claimDue()).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/webhook/list-deliveries.contract.ts
function listDeliveriesTests(open) {
	describe("reading", () => {
		const { world, newSubscriber } = useSubscribers(open);
		test("lists an endpoint’s deliveries of every status, newest first", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(7);
			const [a, b, c] = await subscriber.claimDue({ limit: 3 });
			if (!a || !b || !c) throw new Error("three are due");
			await subscriber.record(a);
			await subscriber.record(b, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			await subscriber.record(c, retryIn(6e4));
			const rows = (await listed$1(world(), subscriber.tenantId, id, { limit: 50 })).items;
			expect(rows).toHaveLength(7);
			expect(rows).toEqual(newestFirst$2(rows));
			await expectPages(rows, (query) => listed$1(world(), subscriber.tenantId, id, query));
			const only = async (status) => (await listed$1(world(), subscriber.tenantId, id, {
				limit: 50,
				status
			})).items.map(({ id }) => id);
			expect(await only("delivered")).toEqual([a.claim.eventId]);
			expect(await only("exhausted")).toEqual([b.claim.eventId]);
			expect(await only("pending")).toHaveLength(5);
		});
		test("lists each delivery once, newest first, whatever the order of their attempts", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(24);
			const out = (await subscriber.claimDue({ limit: 9 })).concat(await subscriber.claimDue({ limit: 7 }));
			const later = out.filter((_, n) => n % 3 === 0);
			await Promise.all(out.filter((_, n) => n % 3 === 1).map((each) => subscriber.record(each)));
			await Promise.all(out.filter((_, n) => n % 3 === 2).map((each) => subscriber.record(each)));
			for (const each of later.slice(0, 3)) await subscriber.record(each);
			for (const status of [
				void 0,
				"delivered",
				"pending"
			]) {
				const query = status === void 0 ? {} : { status };
				const rows = (await listed$1(world(), subscriber.tenantId, id, {
					limit: 50,
					...query
				})).items;
				expect(rows).toHaveLength({
					all: 24,
					delivered: 13,
					pending: 11
				}[status ?? "all"]);
				expect(rows).toEqual(newestFirst$2(rows));
				await expectPages(rows, (page) => listed$1(world(), subscriber.tenantId, id, {
					...page,
					...query
				}));
			}
		});
		test("pending deliveries of a paused endpoint are held, except resends", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.pause();
			const held = await subscriber.emitEvents(3);
			const { items } = await world().deliveries.list(subscriber.tenantId, id, {
				limit: 1,
				status: "exhausted"
			});
			const [resentHeld = "", ...stillHeld] = held.toReversed();
			const resent = [resentHeld, items[0]?.eventId ?? ""];
			for (const eventId of resent) await world().deliveries.resend(subscriber.tenantId, {
				endpointId: id,
				eventId
			});
			const rows = (await world().deliveries.list(subscriber.tenantId, id, { limit: 50 })).items;
			const statusOf = (eventId) => rows.find((row) => row.eventId === eventId)?.status;
			expect(resent.map(statusOf)).toEqual(["pending", "pending"]);
			expect(stillHeld.map(statusOf)).toEqual(["held", "held"]);
			const only = async (status) => {
				const all = (await listed$1(world(), subscriber.tenantId, id, {
					limit: 50,
					status
				})).items;
				await expectPages(all, (query) => listed$1(world(), subscriber.tenantId, id, {
					...query,
					status
				}));
				return all.map((row) => row.id);
			};
			expect(await only("held")).toEqual(stillHeld);
			expect(await only("pending")).toEqual(resent);
			await subscriber.reactivate(id);
			const { items: none } = await listed$1(world(), subscriber.tenantId, id, {
				limit: 9,
				status: "held"
			});
			expect(none).toEqual([]);
		});
		test("finds no delivery for another tenant", async () => {
			const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()];
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const { deliveries } = world();
			expect(await deliveries.get(otherSubscriber.tenantId, {
				endpointId,
				eventId
			})).toBeUndefined();
			const page = await deliveries.list(otherSubscriber.tenantId, endpointId, { limit: 9 });
			expect(page).toEqual({
				items: [],
				next: null
			});
		});
	});
}
async function listed$1({ deliveries }, tenantId, id, query) {
	const page = await deliveries.list(tenantId, id, query);
	return {
		...page,
		items: page.items.map(({ eventId, createdAt }) => ({
			id: eventId,
			createdAt
		}))
	};
}
// packages/contracts/src/stores/webhook/reactivate-endpoint.contract.ts
const dueNow = async (subscriber) => (await subscriber.claimDue()).map(({ claim }) => claim.eventId).toSorted();
function reactivateEndpointTests(open) {
	describe("reactivating", () => {
		const { world, newSubscriber } = useSubscribers(open);
		test("held and exhausted deliveries are due, each with a new retry schedule", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			const retried = await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne(), retryIn(36e5));
			await subscriber.pause();
			const held = await subscriber.emitEvents(2);
			const reactivated = await subscriber.reactivate(id);
			expect(reactivated).toMatchObject({
				requeued: 3,
				redelivered: 5,
				endpoint: {
					status: "active",
					consecutiveFailures: 0,
					pausedAt: null
				}
			});
			await world().advance(1);
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ attempt, isResend }) => isResend ? 0 : attempt)).toEqual(Array(8).fill(1));
			const ids = claimed.map(({ claim }) => claim.eventId);
			expect(ids).toEqual(expect.arrayContaining([retried, ...held]));
			const { items } = await world().deliveries.list(subscriber.tenantId, id, { limit: 50 });
			expect(items.map(({ status }) => status)).toEqual(Array(8).fill("pending"));
		});
		test.each(["when due", "by ids"])("a new retry schedule starts once and then advances (claimed: %s)", async (way) => {
			const subscribers = [await newSubscriber(), await newSubscriber()];
			const retry = retryIn(1e3);
			const reactivate = [];
			const retried = [];
			for (const subscriber of subscribers) {
				const { id } = await subscriber.newEndpoint();
				await subscriber.emitEvents(2);
				for (const claimed of await subscriber.claimDue()) {
					retried.push(claimed.claim);
					await subscriber.record(claimed, retry);
				}
				await subscriber.pause();
				reactivate.push(() => subscriber.reactivate(id));
			}
			for (const each of reactivate) await each();
			const ids = new Set(retried.map(({ eventId }) => eventId));
			const claim = async () => way === "by ids" ? Promise.all(retried.map((ref) => world().deliveries.claim(ref, 30))) : (await subscribers[0].claimDue()).filter((each) => ids.has(each.claim.eventId));
			for (const attempt of [
				1,
				2,
				3
			]) {
				await world().advance(2);
				const claims = await claim();
				expect(claims.map((each) => each?.attempt)).toEqual(retried.map(() => attempt));
				for (const each of claims) if (each) await subscribers[0].record(each, retry);
			}
		});
		test("deliveries exhausted more than seven days ago are not due", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.pause();
			await world().advance(604740);
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 5
			});
			await world().advance(1);
			for (let i = 0; i < 5; i++) await subscriber.exhaust();
			await world().advance(604801);
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 0
			});
			expect(await dueNow(subscriber)).toEqual([]);
		});
		test("on an active endpoint exhausted deliveries are due; a second call changes nothing", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(2);
			const lost = (await subscriber.claimOne()).claim.eventId;
			await world().advance(31);
			const claimed = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === lost);
			if (claimed) await subscriber.record(claimed, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 1
			});
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 0
			});
			await world().advance(1);
			expect(await dueNow(subscriber)).toEqual([lost]);
		});
		test("on an active endpoint deliveries that wait for a retry are due at once, with a new retry schedule", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(3);
			const [a, b, out] = await subscriber.claimDue();
			if (!a || !b || !out) throw new Error("three are due");
			for (const each of [a, b]) await subscriber.record(each, retryIn(36e5));
			await subscriber.emitEvent();
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 2,
				redelivered: 0
			});
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 0
			});
			await world().advance(1);
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ attempt }) => attempt)).toEqual([
				1,
				1,
				1
			]);
			const ids = claimed.map(({ claim }) => claim.eventId);
			expect(ids).toEqual(expect.arrayContaining([a.claim.eventId, b.claim.eventId]));
			expect(ids).not.toContain(out.claim.eventId);
		});
		test.each([
			"is due",
			"is claimed",
			"has failed"
		])("a held delivery whose resend %s is requeued with the others", async (state) => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			await subscriber.pause();
			const eventId = await subscriber.emitEvent();
			const ref = {
				endpointId,
				eventId
			};
			await world().deliveries.resend(subscriber.tenantId, ref);
			const out = state === "is due" ? void 0 : await subscriber.claimOne();
			const last = {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			};
			if (out && state === "has failed") await subscriber.record(out, last);
			expect(await subscriber.reactivate(endpointId)).toMatchObject({
				requeued: 1,
				redelivered: 5
			});
			if (out && state === "is claimed") expect(await subscriber.record(out, last)).toMatchObject({
				consecutiveFailures: 0,
				hasPaused: false
			});
			await world().advance(1);
			const again = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === eventId);
			expect(again).toMatchObject({
				attempt: 1,
				isResend: false
			});
		});
		test("a claimed attempt stays counted when nothing is requeued", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvent();
			const claimed = await subscriber.claimOne();
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 0,
				redelivered: 0
			});
			await subscriber.record(claimed, retryIn(1e3));
			await world().advance(2);
			expect(await subscriber.claimDue()).toMatchObject([{ attempt: 2 }]);
		});
		test("another tenant cannot reactivate the endpoint", async () => {
			const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()];
			const { id } = await subscriber.newEndpoint();
			await subscriber.pause();
			await expect(otherSubscriber.reactivate(id)).rejects.toThrow("no endpoint");
			expect((await world().webhooks.get(subscriber.tenantId, id))?.endpoint.status).toBe("paused");
		});
		test("limits claims to `catchUpPerSecond` until the endpoint has caught up", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.pause();
			await subscriber.emitEvents(15);
			await subscriber.reactivate(id);
			const slowly = { catchUpPerSecond: 5 };
			await world().advance(2);
			const { length: first } = await subscriber.claimDue(slowly);
			expect(first).toBeGreaterThanOrEqual(10);
			expect(first).toBeLessThan(15);
			expect(await subscriber.claimDue(slowly)).toHaveLength(0);
			await world().advance(10);
			expect(await subscriber.claimDue(slowly)).toHaveLength(20 - first);
			await subscriber.emitEvents(30);
			expect(await subscriber.claimDue(slowly)).toHaveLength(30);
		});
		test("an exhausted delivery with a claimed resend is redelivered with the others", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			await subscriber.pause();
			const [lost] = (await world().deliveries.list(subscriber.tenantId, endpointId, { limit: 1 })).items;
			const ref = {
				endpointId,
				eventId: lost?.eventId ?? ""
			};
			await world().deliveries.resend(subscriber.tenantId, ref);
			const out = await subscriber.claimOne();
			expect(out).toMatchObject({
				claim: ref,
				isResend: true
			});
			expect(await subscriber.reactivate(endpointId)).toMatchObject({
				requeued: 0,
				redelivered: 5
			});
			const recorded = await subscriber.record(out, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			expect(recorded).toEqual({
				type: "recorded",
				consecutiveFailures: 0,
				hasPaused: false
			});
			await world().advance(1);
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ attempt, isResend }) => isResend ? 0 : attempt)).toEqual(Array(5).fill(1));
		});
		test("a delivery exhausted more than seven days ago stays exhausted after a failed resend", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			await subscriber.exhaust();
			await world().advance(604801);
			await world().deliveries.resend(subscriber.tenantId, {
				endpointId,
				eventId
			});
			const out = await subscriber.claimOne();
			expect(await subscriber.reactivate(endpointId)).toMatchObject({
				requeued: 0,
				redelivered: 0
			});
			await subscriber.record(out, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			const delivery = await world().deliveries.get(subscriber.tenantId, {
				endpointId,
				eventId
			});
			expect(delivery?.status).toBe("exhausted");
		});
		test("a last attempt that fails after the reactivation is retried with a new schedule", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const out = await subscriber.claimOne();
			await subscriber.pause();
			expect(await subscriber.reactivate(id)).toMatchObject({
				requeued: 1,
				redelivered: 5
			});
			const recorded = await subscriber.record(out, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			expect(recorded).toEqual({
				type: "recorded",
				consecutiveFailures: 0,
				hasPaused: false
			});
			await world().advance(1);
			const again = (await subscriber.claimDue()).find(({ claim }) => claim.eventId === eventId);
			expect(again).toMatchObject({ attempt: 1 });
		});
	});
}
// packages/contracts/src/stores/webhook/record-attempt.contract.ts
function recordAttemptTests(open, runs) {
	describe("recording", () => {
		const { world, newSubscriber } = useSubscribers(open);
		test("a successful attempt ends the delivery and is stored", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent("payout.failed");
			const attempt = {
				...failedAttempt,
				statusCode: 204,
				error: null,
				excerpt: null
			};
			const recorded = await subscriber.record(await subscriber.claimOne(), { attempt });
			expect(recorded).toEqual({
				type: "recorded",
				consecutiveFailures: 0,
				hasPaused: false
			});
			const delivery = await world().deliveries.get(subscriber.tenantId, {
				endpointId,
				eventId
			});
			expect(delivery).toEqual({
				tenantId: subscriber.tenantId,
				endpointId,
				eventId,
				eventType: "payout.failed",
				createdAt: (await world().events.get(subscriber.tenantId, eventId))?.recordedAt,
				status: "delivered",
				nextAttemptAt: null,
				endedAt: delivery?.endedAt,
				attempts: [attempt]
			});
			expect(delivery?.endedAt).toBeInstanceOf(Date);
			await world().advance(1e4);
			expect(await subscriber.claimDue()).toEqual([]);
		});
		test("a retry is due after its delay and not before", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const retry = retryIn(3e4);
			await subscriber.record(await subscriber.claimOne(), retry);
			await world().advance(28);
			expect(await subscriber.claimDue()).toEqual([]);
			await world().advance(3);
			const again = await subscriber.claimOne();
			expect(again).toMatchObject({
				claim: {
					endpointId,
					eventId
				},
				attempt: 2,
				lostLeases: 0
			});
			await subscriber.record(again, retry);
			const delivery = await world().deliveries.get(subscriber.tenantId, {
				endpointId,
				eventId
			});
			expect(delivery).toMatchObject({
				status: "pending",
				endedAt: null,
				attempts: [failedAttempt, failedAttempt]
			});
			expect(delivery?.nextAttemptAt).toBeInstanceOf(Date);
		});
		test("another fencing token is stale, and one token records once", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const claimed = await subscriber.claimOne();
			const { fencingToken } = claimed.claim;
			const retry = retryIn(1);
			const last = {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			};
			for (const wrong of [fencingToken - 1, fencingToken + 1]) {
				const other = {
					...claimed,
					claim: {
						...claimed.claim,
						fencingToken: wrong
					}
				};
				for (const outcome of [
					void 0,
					retry,
					last
				]) expect(await subscriber.record(other, outcome)).toEqual({ type: "stale" });
			}
			await subscriber.record(claimed, retry);
			expect(await subscriber.record(claimed)).toEqual({ type: "stale" });
			const delivery = await world().deliveries.get(subscriber.tenantId, {
				endpointId,
				eventId
			});
			expect(delivery?.attempts).toEqual([failedAttempt]);
		});
		test(`keeps the newest 24 attempts`, async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			for (let n = 1; n <= 26; n++) {
				const attempt = {
					...failedAttempt,
					latencyMs: n
				};
				await subscriber.record(await subscriber.claimOne(), {
					attempt,
					decision: {
						type: "retry",
						inMs: 0
					}
				});
			}
			const numbers = (await world().deliveries.get(subscriber.tenantId, {
				endpointId,
				eventId
			}))?.attempts.map(({ latencyMs }) => latencyMs);
			expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => i + 3));
		});
		test("one record finds that no attempt has succeeded for long, until one succeeds", async () => {
			const subscriber = await newSubscriber();
			await subscriber.newEndpoint();
			const ids = await subscriber.emitEvents(3);
			const claims = /* @__PURE__ */ new Map();
			for (const each of await subscriber.claimDue({ leaseSeconds: 1e5 })) claims.set(each.claim.eventId, each);
			const attempt = async (eventId = "", over = retryIn(0)) => {
				const claimed = claims.get(eventId) ?? await subscriber.claimOne({ deliveryClass: "slow" });
				claims.delete(eventId);
				const isSlow = over.decision?.type === "retry";
				const recorded = await subscriber.record(claimed, {
					isSlow,
					...over
				});
				return recorded.type === "recorded" && recorded.isFailingLong === true;
			};
			expect(await attempt(ids[0])).toBe(false);
			await world().advance(898);
			expect(await attempt()).toBe(false);
			await world().advance(4);
			expect(await attempt()).toBe(true);
			expect(await attempt()).toBe(false);
			expect(await attempt(ids[1], {})).toBe(false);
			await world().advance(1);
			expect(await attempt(ids[2])).toBe(false);
			await world().advance(901);
			expect(await attempt()).toBe(true);
		});
		test("five consecutive exhausted deliveries pause the endpoint, whose deliveries are then not claimed", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(7);
			const seen = [];
			for (let i = 0; i < 5; i++) seen.push(await subscriber.exhaust());
			expect(seen).toEqual([
				1,
				2,
				3,
				4,
				5
			].map((consecutiveFailures) => ({
				type: "recorded",
				consecutiveFailures,
				hasPaused: consecutiveFailures === 5
			})));
			const stored = await world().webhooks.get(subscriber.tenantId, id);
			expect(stored?.endpoint).toMatchObject({
				status: "paused",
				consecutiveFailures: 5
			});
			expect(stored?.endpoint.pausedAt).toBeInstanceOf(Date);
			await subscriber.emitEvent();
			expect(await subscriber.claimDue()).toEqual([]);
			expect(await world().webhooks.queued(subscriber.tenantId, id)).toBe(3);
		});
		test("twelve concurrent exhausted deliveries are all counted, and pause the endpoint once", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(12);
			const decision = { type: "exhausted" };
			const claimed = await subscriber.claimDue();
			const seen = await Promise.all(claimed.map((each) => subscriber.record(each, {
				attempt: failedAttempt,
				decision
			})));
			const failures = seen.map((each) => each.type === "recorded" ? each.consecutiveFailures : 0);
			expect(failures.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
			expect(seen.filter((each) => each.type === "recorded" && each.hasPaused)).toHaveLength(1);
			expect((await world().webhooks.get(subscriber.tenantId, id))?.endpoint).toMatchObject({
				status: "paused",
				consecutiveFailures: 12
			});
		});
		test("attempts claimed before the pause are recorded; a success does not reactivate the endpoint", async () => {
			const subscriber = await newSubscriber();
			const { id } = await subscriber.newEndpoint();
			await subscriber.emitEvents(2);
			const [first, second] = await subscriber.claimDue({ limit: 2 });
			if (!first || !second) throw new Error("two are due");
			await subscriber.pause();
			await subscriber.record(first, retryIn(0));
			expect(await subscriber.record(second)).toEqual({
				type: "recorded",
				consecutiveFailures: 0,
				hasPaused: false
			});
			const stored = await world().webhooks.get(subscriber.tenantId, id);
			expect(stored?.endpoint).toMatchObject({
				status: "paused",
				consecutiveFailures: 0
			});
			expect(await subscriber.claimDue()).toEqual([]);
		});
		test("consecutive failures equal the model after random endings", async () => {
			const anyEndings = fc.array(fc.constantFrom("delivered", "exhausted", "exhausted"), { maxLength: 14 });
			await fc.assert(fc.asyncProperty(anyEndings, async (endings) => {
				const subscriber = await newSubscriber();
				const { id } = await subscriber.newEndpoint();
				await subscriber.emitEvents(endings.length);
				const claimed = await subscriber.claimDue();
				let [consecutiveFailures, isPaused] = [0, false];
				for (const [n, ending] of endings.entries()) {
					const each = claimed[n];
					if (each) await subscriber.record(each, {
						attempt: failedAttempt,
						decision: { type: ending }
					});
					consecutiveFailures = consecutiveFailuresAfter(consecutiveFailures, ending);
					isPaused ||= consecutiveFailures >= 5;
				}
				const stored = await world().webhooks.get(subscriber.tenantId, id);
				expect(stored?.endpoint).toMatchObject({
					consecutiveFailures,
					status: isPaused ? "paused" : "active"
				});
			}), { numRuns: runs });
		});
	});
}
// packages/contracts/src/stores/webhook/resend-delivery.contract.ts
function resendDeliveryTests(open) {
	describe("resending", () => {
		const { world, newSubscriber } = useSubscribers(open);
		const exhausted = {
			attempt: failedAttempt,
			decision: { type: "exhausted" }
		};
		test.for(["delivered", "exhausted"])("a delivery that is %s is attempted once, and keeps its status if that fails", async (status) => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const ref = {
				endpointId,
				eventId: await subscriber.emitEvent()
			};
			await subscriber.record(await subscriber.claimOne(), status === "exhausted" ? exhausted : {});
			const before = await world().deliveries.get(subscriber.tenantId, ref);
			const consecutiveFailures = status === "exhausted" ? 1 : 0;
			await world().advance(60);
			expect(await world().deliveries.resend(subscriber.tenantId, ref)).toBe("committed");
			expect(await world().deliveries.resend(subscriber.tenantId, ref)).toBe("pending");
			expect(await world().deliveries.get(subscriber.tenantId, ref)).toMatchObject({
				status: "pending",
				endedAt: null
			});
			const claimed = await subscriber.claimOne();
			expect(claimed).toMatchObject({
				claim: ref,
				isResend: true,
				attempt: 1
			});
			expect(await subscriber.record(claimed, exhausted)).toMatchObject({
				consecutiveFailures,
				hasPaused: false
			});
			expect(await world().deliveries.get(subscriber.tenantId, ref)).toEqual({
				...before,
				attempts: [...before?.attempts ?? [], failedAttempt]
			});
			await world().deliveries.resend(subscriber.tenantId, ref);
			expect(await subscriber.record(await subscriber.claimOne())).toMatchObject({ consecutiveFailures });
			const after = await world().deliveries.get(subscriber.tenantId, ref);
			expect(after?.status).toBe("delivered");
			expect(after?.attempts).toHaveLength(3);
		});
		test("a resend is due also while the endpoint is paused", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne());
			await subscriber.pause();
			await subscriber.emitEvent();
			await world().deliveries.resend(subscriber.tenantId, {
				endpointId,
				eventId
			});
			expect(await subscriber.claimDue()).toMatchObject([{
				claim: { eventId },
				isResend: true
			}]);
		});
		test("a held delivery is attempted once, is held again if that fails, and counts no failure", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const ref = {
				endpointId,
				eventId: await subscriber.emitEvent()
			};
			await subscriber.record(await subscriber.claimOne(), retryIn(6e4));
			await subscriber.pause();
			const { deliveries, webhooks } = world();
			const held = await deliveries.get(subscriber.tenantId, ref);
			expect(held).toMatchObject({
				status: "held",
				nextAttemptAt: null,
				endedAt: null
			});
			expect(await deliveries.resend(subscriber.tenantId, ref)).toBe("committed");
			expect(await deliveries.resend(subscriber.tenantId, ref)).toBe("pending");
			const waiting = await deliveries.get(subscriber.tenantId, ref);
			expect([waiting?.status, waiting?.nextAttemptAt]).toEqual(["pending", expect.any(Date)]);
			const claimed = await subscriber.claimOne();
			expect(claimed).toMatchObject({
				claim: ref,
				isResend: true,
				attempt: 2
			});
			expect(await deliveries.resend(subscriber.tenantId, ref)).toBe("pending");
			expect(await subscriber.record(claimed, exhausted)).toMatchObject({
				consecutiveFailures: 5,
				hasPaused: false
			});
			const attempts = [...held?.attempts ?? [], failedAttempt];
			expect(await deliveries.get(subscriber.tenantId, ref)).toEqual({
				...held,
				attempts
			});
			await world().advance(3600);
			expect(await subscriber.claimDue()).toEqual([]);
			await deliveries.resend(subscriber.tenantId, ref);
			expect(await subscriber.record(await subscriber.claimOne())).toMatchObject({ consecutiveFailures: 5 });
			expect(await deliveries.get(subscriber.tenantId, ref)).toMatchObject({ status: "delivered" });
			const stored = await webhooks.get(subscriber.tenantId, endpointId);
			expect(stored?.endpoint).toMatchObject({
				status: "paused",
				consecutiveFailures: 5
			});
		});
		test("held deliveries that a resend has delivered are not requeued by a reactivation", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			await subscriber.pause();
			const held = await subscriber.emitEvents(8);
			const [first, , , fourth, , , , last] = held;
			for (const eventId of [
				first,
				fourth,
				last
			]) await world().deliveries.resend(subscriber.tenantId, {
				endpointId,
				eventId: eventId ?? ""
			});
			const { webhooks } = world();
			expect(await webhooks.queued(subscriber.tenantId, endpointId)).toBe(8);
			const again = await subscriber.claimDue();
			expect(again.map(({ claim }) => claim.eventId).toSorted()).toEqual([
				first,
				fourth,
				last
			].toSorted());
			for (const each of again) await subscriber.record(each);
			expect(await webhooks.queued(subscriber.tenantId, endpointId)).toBe(5);
			expect(await subscriber.reactivate(endpointId)).toMatchObject({
				requeued: 5,
				redelivered: 5
			});
			await world().advance(1);
			const ids = [...await subscriber.claimDue({ limit: 2 }), ...await subscriber.claimDue()].map(({ claim }) => claim.eventId);
			expect(new Set(ids).size).toBe(10);
			expect(ids.filter((id) => held.includes(id)).toSorted()).toEqual(held.filter((id) => ![
				first,
				fourth,
				last
			].includes(id)).toSorted());
		});
		test("a held and claimed delivery can be resent only after its lease", async () => {
			const subscriber = await newSubscriber();
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			await subscriber.claimOne({ leaseSeconds: 300 });
			await subscriber.pause();
			const ref = {
				endpointId,
				eventId
			};
			expect(await world().deliveries.resend(subscriber.tenantId, ref)).toBe("pending");
			await world().advance(301);
			expect(await world().deliveries.resend(subscriber.tenantId, ref)).toBe("committed");
			expect(await subscriber.claimOne()).toMatchObject({
				claim: ref,
				isResend: true,
				lostLeases: 1
			});
		});
		test("a pending delivery is refused; an unknown one or another tenant’s is not found", async () => {
			const [subscriber, otherSubscriber] = [await newSubscriber(), await newSubscriber()];
			const { id: endpointId } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const { resend } = world().deliveries;
			expect(await resend(subscriber.tenantId, {
				endpointId,
				eventId
			})).toBe("pending");
			expect(await resend(otherSubscriber.tenantId, {
				endpointId,
				eventId
			})).toBe("not_found");
			const unknown = world().ids.uuid(/* @__PURE__ */ new Date());
			expect(await resend(subscriber.tenantId, {
				endpointId,
				eventId: unknown
			})).toBe("not_found");
		});
	});
}
// packages/contracts/src/stores/webhook/delivery-store.contract.ts
/** The contract of a `DeliveryStore` together with its `WebhookStore`. */
function deliveryStoreContract(name, open, { runs = 10 } = {}) {
	describe(`delivery store in ${name}`, () => {
		claimDeliveryTests(open);
		enqueueDeliveryTests(open);
		recordAttemptTests(open, Math.min(runs, 10));
		reactivateEndpointTests(open);
		resendDeliveryTests(open);
		listDeliveriesTests(open);
	});
}
// packages/contracts/src/stores/deposit/claim-deposit.contract.ts
/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds$5 = 100;
function claimDepositTests(open) {
	describe("claims of deposits", () => {
		const world = useWorld(open, "each");
		const claimDue = ({ deposits }, limit = 10) => deposits.claimDue(limit, leaseSeconds$5);
		const idsOf = (rows) => new Set(rows.map((row) => "id" in row ? row.id : row.deposit.id));
		test("a claim has the deposit, sender, solid block, address and tenant status", async () => {
			const w = world();
			const { due, tenantId, topUp } = await depositBuilders(w);
			const from = accountOf("the sender");
			const [deposit] = await due({
				block: 100,
				from
			});
			const [claimed, ...others] = await claimDue(w);
			expect(others).toEqual([]);
			expect(claimed).toEqual({
				claim: {
					tenantId,
					depositId: deposit?.id,
					fencingToken: claimed?.claim.fencingToken
				},
				deposit,
				sender: from,
				solid: {
					type: "confirmed",
					block: 100
				},
				topUp,
				tenantStatus: "active",
				claimCount: 1
			});
		});
		test("a claim has the current address and tenant status", async () => {
			const w = world();
			const { due, tenantId, topUp } = await depositBuilders(w);
			await due();
			await w.addresses.retire(tenantId, "tron", someOperator);
			const tenant = await w.tenants.find(tenantId);
			if (tenant === void 0) throw new Error("the tenant was just created");
			await w.tenants.update({
				...tenant,
				status: "suspended",
				revision: 2
			}, "tenant.suspend", someOperator);
			expect(await claimDue(w)).toMatchObject([{
				topUp: {
					...topUp,
					retiredAt: someInstant
				},
				tenantStatus: "suspended"
			}]);
		});
		test("a deposit that only the head has shown is not due", async () => {
			const w = world();
			const { pending } = await depositBuilders(w);
			await pending();
			await w.advance(1e5);
			expect(await claimDue(w)).toEqual([]);
		});
		test("claims the oldest due first, at most `limit`, each once", async () => {
			const w = world();
			const { due } = await depositBuilders(w);
			const deposits = [];
			for (let n = 0; n < 3; n++) {
				deposits.push(...await due());
				await w.advance(10);
			}
			expect(idsOf(await claimDue(w, 2))).toEqual(idsOf(deposits.slice(0, 2)));
			expect(idsOf(await claimDue(w, 2))).toEqual(idsOf(deposits.slice(2)));
			await w.advance(50);
			expect(await claimDue(w)).toEqual([]);
		});
		test("after its lease a deposit is due again, with a higher fencing token and claim count", async () => {
			const w = world();
			await (await depositBuilders(w)).due();
			let token = 0;
			for (const claimCount of [
				1,
				2,
				3
			]) {
				const [claimed] = await claimDue(w);
				expect(claimed?.claimCount).toBe(claimCount);
				expect(claimed?.claim.fencingToken).toBeGreaterThan(token);
				token = claimed?.claim.fencingToken ?? 0;
				await w.advance(101);
			}
		});
		test("yieldClaim makes it due after `dueInSeconds` and keeps the claim count", async () => {
			const w = world();
			const { due, claimOne } = await depositBuilders(w);
			await due();
			const { claim } = await claimOne();
			expect(await w.deposits.yieldClaim(claim, 50)).toBe(true);
			await w.advance(40);
			expect(await claimDue(w)).toEqual([]);
			await w.advance(11);
			expect(await claimDue(w)).toMatchObject([{ claimCount: 2 }]);
		});
		test("a lost claim can neither be yielded nor settle", async () => {
			const w = world();
			const { due, claimOne, tenantId } = await depositBuilders(w);
			const [deposit] = await due();
			const old = await claimOne();
			await w.advance(101);
			const mine = await claimOne();
			expect(await w.deposits.yieldClaim(old.claim, 0)).toBe(false);
			expect(await claimDue(w)).toEqual([]);
			expect(await w.deposits.commit(settleDepositCommit(w, old))).toBe("stale");
			expect(await w.deposits.get(tenantId, deposit?.id ?? "")).toEqual(deposit);
			expect(await w.deposits.commit(settleDepositCommit(w, mine))).toBe("committed");
		});
		test("12 concurrent workers claim each exactly once", async () => {
			const w = world();
			const { due } = await depositBuilders(w);
			const deposits = await due({}, {}, {}, {}, {}, {});
			const claimed = [...(await Promise.all(Array.from({ length: 12 }, () => claimDue(w, 4)))).flat(), ...await claimDue(w)];
			expect(claimed).toHaveLength(deposits.length);
			expect(idsOf(claimed)).toEqual(idsOf(deposits));
		});
		test("a settled deposit is never due", async () => {
			const w = world();
			const { credited, inReview } = await depositBuilders(w);
			await credited();
			await inReview();
			await w.advance(1e5);
			expect(await claimDue(w)).toEqual([]);
		});
	});
}
// packages/contracts/src/fixtures/balance-of.ts
/** A wallet's balance in micro-USDT; undefined when the tenant does not exist. */
async function balanceOf({ wallets }, tenantId) {
	const wallet = await wallets.find(tenantId);
	return wallet && {
		available: wallet.available.minor,
		held: wallet.held.minor
	};
}
// packages/contracts/src/fixtures/events-about.ts
/** The only order of a deposit's events. */
const order = [
	"deposit.pending",
	"deposit.in_review",
	"deposit.credited"
];
/** An event to compare with `toEqual`: its bytes as an array, since stores may return a subclass of Uint8Array. */
function plainEvent(event) {
	const { id, tenantId, type, subjectId, occurredAt, recordedAt, body } = event;
	return {
		id,
		tenantId,
		type,
		subjectId,
		occurredAt,
		recordedAt,
		body: [...body]
	};
}
/** All events about one payout or deposit, oldest first; a deposit's events of one millisecond in their only order. */
async function eventsAbout({ events }, tenantId, subjectId) {
	return (await allPages((query) => events.list(tenantId, query), 100)).flat().filter((event) => event.subjectId === subjectId).toSorted((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime() || order.indexOf(a.type) - order.indexOf(b.type));
}
/** The types of the events about one payout or deposit, oldest first. */
const eventTypesOf = async (stores, tenantId, subjectId) => (await eventsAbout(stores, tenantId, subjectId)).map(({ type }) => type);
/** Expects that the event of this write is stored, byte for byte, as the only one about its payout. */
async function expectEventOf(stores, { step }) {
	const { id, tenantId } = step.payout;
	const stored = await eventsAbout(stores, tenantId, id);
	expect(stored.map(plainEvent)).toEqual(step.event ? [plainEvent(step.event)] : []);
}
// packages/contracts/src/stores/deposit/limit-unverified-credit.contract.ts
const limits$1 = (perTenant, inAll) => ({
	perTenant: usdt(perTenant),
	inAll: usdt(inAll)
});
function limitUnverifiedCreditTests(open) {
	describe("unverified credits", () => {
		const world = useWorld(open, "each");
		/** Settles the due deposits one after another, each within these limits. */
		async function endAll(w, unverifiedLimits) {
			const results = [];
			for (const claimed of await w.deposits.claimDue(100, 100)) results.push(await w.deposits.commit({
				...settleDepositCommit(w, claimed),
				unverifiedLimits
			}));
			return results;
		}
		test("reach but never exceed the tenant’s limit; above it nothing is written", async () => {
			const w = world();
			const { due, tenantId, claimOne } = await depositBuilders(w);
			await due({ value: 6000000n }, { value: 4000000n });
			const bound = limits$1(10000000n, 100000000n);
			expect(await endAll(w, bound)).toEqual(["committed", "committed"]);
			const [last] = await due({ value: 1000000n });
			const claimed = await claimOne();
			const write = settleDepositCommit(w, claimed);
			expect(await w.deposits.commit({
				...write,
				unverifiedLimits: bound
			})).toBe("above_unverified_limit");
			expect(await w.deposits.find(claimed.deposit.id)).toEqual(last);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 10000000n,
				held: 0n
			});
			expect(await eventTypesOf(w, tenantId, claimed.deposit.id)).toEqual(["deposit.pending"]);
			expect(await w.deposits.commit(write)).toBe("committed");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 11000000n,
				held: 0n
			});
		});
		test("have these limits from the first on", async () => {
			const w = world();
			const { due, claimOne } = await depositBuilders(w);
			await due({ value: 6000000n });
			const write = settleDepositCommit(w, await claimOne());
			for (const bound of [limits$1(5999999n, 6000000n), limits$1(6000000n, 5999999n)]) expect(await w.deposits.commit({
				...write,
				unverifiedLimits: bound
			})).toBe("above_unverified_limit");
		});
		test("of all tenants have a common limit, which verified credits do not count towards", async () => {
			const w = world();
			const one = await depositBuilders(w);
			const other = await buildersOfAnotherTenant(w, one);
			await one.due({ value: 50000000n });
			expect(await w.deposits.commit(settleDepositCommit(w, await one.claimOne()))).toBe("committed");
			await one.due({ value: 6000000n });
			const bound = limits$1(10000000n, 10000000n);
			expect(await endAll(w, bound)).toEqual(["committed"]);
			await other.due({ value: 4000001n });
			expect(await endAll(w, bound)).toEqual(["above_unverified_limit"]);
			await other.due({ value: 4000000n });
			expect(await endAll(w, bound)).toEqual(["committed"]);
		});
		test("count towards the limits for 24 hours", async () => {
			const w = world();
			const { due } = await depositBuilders(w);
			const bound = limits$1(5000000n, 5000000n);
			await due({ value: 5000000n });
			expect(await endAll(w, bound)).toEqual(["committed"]);
			await w.advance(85400);
			await due({ value: 1000000n });
			expect(await endAll(w, bound)).toEqual(["above_unverified_limit"]);
			await w.advance(1e3);
			expect(await endAll(w, bound)).toEqual(["committed"]);
		});
		test("of concurrent tenants stay within the common limit", async () => {
			const w = world();
			const first = await depositBuilders(w);
			const tenants = [first];
			for (let n = 0; n < 5; n++) tenants.push(await buildersOfAnotherTenant(w, first));
			for (const { due } of tenants) await due({ value: 2000000n }, { value: 2000000n });
			const unverifiedLimits = limits$1(4000000n, 10000000n);
			const results = await Promise.all((await w.deposits.claimDue(100, 100)).map((claimed) => w.deposits.commit({
				...settleDepositCommit(w, claimed),
				unverifiedLimits
			})));
			expect(results.toSorted()).toEqual([...Array.from({ length: 7 }, () => "above_unverified_limit"), ...Array.from({ length: 5 }, () => "committed")]);
		});
		test("are limited; reviews are not", async () => {
			const w = world();
			const { due, claimOne } = await depositBuilders(w);
			await due({ value: 2000000n });
			const write = settleDepositCommit(w, await claimOne(), { isAboveUnverifiedLimit: true });
			expect(write.step.deposit).toMatchObject({ reviewCode: "AMOUNT_ABOVE_AUTO_LIMIT" });
			expect(await w.deposits.commit({
				...write,
				unverifiedLimits: limits$1(1n, 1n)
			})).toBe("committed");
		});
	});
}
// packages/contracts/src/stores/deposit/list-deposits.contract.ts
function listDepositsTests(open) {
	describe("listing deposits", () => {
		const world = useWorld(open, "each");
		const noon = /* @__PURE__ */ new Date("2026-05-01T12:00:00.500Z");
		const msAfter = (ms) => new Date(noon.getTime() + ms);
		const optionsAt = (...offsets) => offsets.map((ms) => ({
			createdAt: msAfter(ms),
			block: 100
		}));
		const idsOf = (deposits) => deposits.map(({ id }) => id);
		test("sorts by creation and id, newest first, in pages", async () => {
			const w = world();
			const { pending, tenantId } = await depositBuilders(w);
			const deposits = await pending(...optionsAt(5, 1, 3, 3, 3, 0, 5, -864e5, 4e7));
			await expectPages(deposits, (query) => w.deposits.list(tenantId, query));
			await expectPages(deposits, (query) => w.deposits.listAll(query));
		});
		test("pages show each deposit exactly once during inserts", async () => {
			const w = world();
			const { pending, tenantId } = await depositBuilders(w);
			const before = await pending(...optionsAt(...Array.from({ length: 12 }, (_, n) => n >> 1)));
			for (const list of [(query) => w.deposits.list(tenantId, query), (query) => w.deposits.listAll(query)]) {
				const seen = [];
				let after;
				do {
					const page = await list({
						limit: 3,
						...after && { after }
					});
					seen.push(...page.items);
					await pending(...optionsAt(100, 3));
					after = page.next ?? void 0;
				} while (after !== void 0);
				const ids = new Set(idsOf(before));
				expect(seen.filter(({ id }) => ids.has(id))).toEqual(newestFirst$2(before));
				expect(new Set(idsOf(seen)).size).toBe(seen.length);
			}
		});
		test("`from` and `to` are inclusive, to the millisecond", async () => {
			const w = world();
			const { pending, tenantId } = await depositBuilders(w);
			const deposits = await pending(...optionsAt(-1, 0, 0, 1, 2));
			const expected = (from, to) => newestFirst$2(deposits.slice(from, to));
			const list = async (query) => {
				const { items } = await w.deposits.list(tenantId, {
					limit: 100,
					...query
				});
				expect((await w.deposits.listAll({
					limit: 100,
					...query
				})).items).toEqual(items);
				return items;
			};
			expect(await list({
				from: noon,
				to: noon
			})).toEqual(expected(1, 3));
			expect(await list({ from: noon })).toEqual(expected(1, 5));
			expect(await list({ to: noon })).toEqual(expected(0, 3));
			expect(await list({ from: msAfter(3) })).toEqual([]);
			const range = {
				from: noon,
				to: msAfter(1)
			};
			const pages = await allPages((query) => w.deposits.list(tenantId, {
				...query,
				...range
			}), 1);
			expect(pages.flat()).toEqual(expected(1, 4));
		});
		test("filters by status, also across pages", async () => {
			const w = world();
			const { pending, credited, inReview, tenantId } = await depositBuilders(w);
			const wanted = {
				credited: newestFirst$2([await credited(), await credited()]),
				in_review: newestFirst$2([await inReview(), await inReview()]),
				pending: newestFirst$2(await pending({}, {}))
			};
			for (const status of [
				"pending",
				"credited",
				"in_review"
			]) for (const list of [(query) => w.deposits.list(tenantId, query), (query) => w.deposits.listAll(query)]) {
				expect((await list({
					limit: 10,
					status
				})).items).toEqual(wanted[status]);
				const pages = await allPages((query) => list({
					...query,
					status
				}), 1);
				expect(pages.flat()).toEqual(wanted[status]);
			}
		});
		test("list and get are limited to the tenant; listAll and find are not", async () => {
			const w = world();
			const one = await depositBuilders(w);
			const other = await buildersOfAnotherTenant(w, one);
			const [mine, theirs] = [await one.pending({}, {}), await other.pending({})];
			const [id, theirId] = [mine[0]?.id ?? "", theirs[0]?.id ?? ""];
			expect((await w.deposits.list(one.tenantId, { limit: 10 })).items).toEqual(newestFirst$2(mine));
			expect((await w.deposits.list(other.tenantId, { limit: 10 })).items).toEqual(theirs);
			expect(await w.deposits.get(other.tenantId, id)).toBeUndefined();
			expect(await w.deposits.get(one.tenantId, theirId)).toBeUndefined();
			expect(await w.deposits.find(id)).toEqual(mine[0]);
			expect(await w.deposits.find(theirId)).toEqual(theirs[0]);
			expect((await w.deposits.listAll({ limit: 10 })).items).toEqual(newestFirst$2([...mine, ...theirs]));
			expect(await w.deposits.find("dep_0000000000000000000000000Z")).toBeUndefined();
			expect(await w.deposits.get(one.tenantId, "dep_0000000000000000000000000Z")).toBeUndefined();
		});
		test("listAll filters by tenant, reason, transaction and address, also across pages", async () => {
			const w = world();
			const one = await depositBuilders(w);
			const other = await buildersOfAnotherTenant(w, one);
			const deposits = [];
			for (const { pending, inReview, credited } of [one, other]) deposits.push(...await pending({}, {}), await inReview(), await credited());
			const review = deposits.find(({ status }) => status === "in_review");
			if (review?.status !== "in_review") throw new Error("one deposit is in review");
			const { reviewCode, txHash, address, tenantId } = review;
			const isReview = (deposit) => deposit.status === "in_review" && deposit.reviewCode === reviewCode;
			const cases = [
				[{ tenantId }, (deposit) => deposit.tenantId === tenantId],
				[{
					tenantId,
					open: true
				}, (deposit) => deposit.tenantId === tenantId],
				[{ reviewCode }, isReview],
				[{
					reviewCode,
					status: "credited"
				}, () => false],
				[{
					reviewCode,
					tenantId
				}, (deposit) => isReview(deposit) && deposit.tenantId === tenantId],
				[{ txHash }, (deposit) => deposit.txHash === txHash],
				[{
					txHash,
					address,
					reviewCode,
					tenantId
				}, ({ id }) => id === review.id],
				[{
					txHash,
					tenantId: "ten_0000000000000000000000000Z"
				}, () => false],
				[{ address }, (deposit) => deposit.address === address],
				[{
					address,
					status: "pending"
				}, (deposit) => deposit.address === address && deposit.status === "pending"],
				[{ address: "nothing" }, () => false]
			];
			for (const [filters, isWanted] of cases) await expectPages(deposits.filter(isWanted), (query) => w.deposits.listAll({
				...query,
				...filters
			}));
		});
		test("`open` excludes closed reviews", async () => {
			const w = world();
			const { inReview, credited, pending, tenantId } = await depositBuilders(w);
			const [open, closed] = [await inReview(), await inReview()];
			const write = await closeReviewCommit(w, closed);
			await w.deposits.commit(write);
			const others = [await credited(), ...await pending()];
			const all = newestFirst$2([
				open,
				write.step.deposit,
				...others
			]);
			const list = async (query) => (await w.deposits.listAll({
				limit: 10,
				...query
			})).items;
			expect(await list({
				status: "in_review",
				open: true
			})).toEqual([open]);
			expect(await list({ status: "in_review" })).toEqual(newestFirst$2([open, write.step.deposit]));
			expect(await list({ open: true })).toEqual(newestFirst$2([open, ...others]));
			expect(await list({ open: false })).toEqual(all);
			expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual(all);
		});
	});
}
// packages/contracts/src/stores/deposit/resolve-review.contract.ts
function resolveReviewTests(open) {
	describe("resolving a review", () => {
		const world = useWorld(open, "each");
		const auditOfDeposit = async ({ audit }, id) => (await auditEntries(audit, {
			subject: id,
			limit: 10
		})).map(({ action }) => action);
		test("a credit moves the amount, and writes an event and an audit entry", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const deposit = await inReview({ value: 500000n }, {});
			const write = await creditDepositCommit(w, deposit);
			expect(await w.deposits.commit(write)).toBe("committed");
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 500000n,
				held: 0n
			});
			expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual([
				"deposit.pending",
				"deposit.in_review",
				"deposit.credited"
			]);
			expect(await auditEntries(w.audit, {
				subject: deposit.id,
				limit: 10
			})).toEqual([auditCredit(deposit, write, write.step.deposit.creditedAt)]);
			const { items } = await w.wallets.transactions(tenantId, { limit: 10 });
			expect(items).toMatchObject([{
				type: "deposit",
				depositId: deposit.id
			}]);
		});
		test("credits the largest amount exactly", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const deposit = await inReview({ value: MAX_MINOR }, {});
			expect(await w.deposits.commit(await creditDepositCommit(w, deposit))).toBe("committed");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: MAX_MINOR,
				held: 0n
			});
			expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(MAX_MINOR) });
		});
		test("a close keeps it in review with actor, instant and reason, without an event", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const deposit = await inReview();
			const write = await closeReviewCommit(w, deposit, "devuelto a la dueña 💸");
			expect(await w.deposits.commit(write)).toBe("committed");
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(write.step.deposit);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 0n,
				held: 0n
			});
			expect(await eventTypesOf(w, tenantId, deposit.id)).toHaveLength(2);
			expect(await auditEntries(w.audit, {
				subject: deposit.id,
				limit: 10
			})).toEqual([auditClose(write.step.deposit, write.proposalId)]);
		});
		test("a resolution needs the approved proposal of exactly this resolution", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const [deposit, other] = [await inReview(), await inReview({ value: 7000000n })];
			const [credit, close] = [await creditDepositCommit(w, deposit), await closeReviewCommit(w, deposit)];
			const { step } = await creditDepositCommit(w, other);
			const proposalId = w.ids.next("prp", someInstant);
			const writes = [
				{
					...credit,
					proposalId
				},
				{
					...credit,
					proposalId: close.proposalId
				},
				{
					...credit,
					actor: "eva"
				},
				{
					...credit,
					reason: "other"
				},
				{
					...credit,
					step
				},
				{
					...close,
					proposalId: credit.proposalId
				}
			];
			for (const write of writes) expect(await w.deposits.commit(write)).toBe("not_approved");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 0n,
				held: 0n
			});
			expect(await w.deposits.commit(close)).toBe("committed");
			expect(await w.proposals.find(close.proposalId)).toMatchObject({ status: "executed" });
			expect(await w.proposals.find(credit.proposalId)).toMatchObject({ status: "approved" });
			expect(await w.deposits.commit(credit)).toBe("stale");
		});
		test("exactly one of 12 concurrent resolutions commits", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const deposit = await inReview();
			const writes = await Promise.all(Array.from({ length: 12 }, async (_, n) => n % 3 === 0 ? closeReviewCommit(w, deposit) : creditDepositCommit(w, deposit)));
			const results = await Promise.all(writes.map((write) => w.deposits.commit(write)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "stale")).toHaveLength(11);
			const won = writes[results.indexOf("committed")]?.kind;
			const available = won === "credit" ? 25000000n : 0n;
			expect(await balanceOf(w, tenantId)).toEqual({
				available,
				held: 0n
			});
			expect(await auditOfDeposit(w, deposit.id)).toEqual([`deposit.${won}`]);
		});
		test("resolving a pending, credited or closed deposit is stale", async () => {
			const w = world();
			const { pending, credited, inReview, tenantId } = await depositBuilders(w);
			const closed = await inReview();
			await w.deposits.commit(await closeReviewCommit(w, closed));
			const [before] = await pending();
			const stored = [
				before ?? closed,
				await credited({ value: 1000000n }),
				closed
			];
			for (const deposit of stored) {
				const stale = {
					...deposit,
					status: "in_review",
					reviewCode: "SENDER_BLOCKED",
					closed: null
				};
				const now = await w.deposits.get(tenantId, deposit.id);
				expect(await w.deposits.commit(await creditDepositCommit(w, stale))).toBe("stale");
				expect(await w.deposits.commit(await closeReviewCommit(w, stale))).toBe("stale");
				expect(await w.deposits.get(tenantId, deposit.id)).toEqual(now);
			}
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 1000000n,
				held: 0n
			});
		});
	});
}
// packages/contracts/src/stores/deposit/settle-deposit.contract.ts
function settleDepositTests(open, runs) {
	describe("settling a deposit", () => {
		const world = useWorld(open, "each");
		test("credits the amount once, to its tenant, with its event byte for byte", async () => {
			const w = world();
			const { due, claimOne, tenantId } = await depositBuilders(w);
			const otherTenant = await w.newWallet(usdt(5n));
			await due({ value: 12345678n });
			const write = settleDepositCommit(w, await claimOne());
			expect(await w.deposits.commit(write)).toBe("committed");
			const { deposit } = write.step;
			expect(deposit.status).toBe("credited");
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 12345678n,
				held: 0n
			});
			expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(12345678n) });
			expect(await balanceOf(w, otherTenant)).toEqual({
				available: 5n,
				held: 0n
			});
			const events = await eventsAbout(w, tenantId, deposit.id);
			expect(events.map(({ type }) => type)).toEqual(["deposit.pending", "deposit.credited"]);
			expect([...events[1]?.body ?? []]).toEqual([...write.step.event.body]);
		});
		test("puts it in review with its event, and moves no money", async () => {
			const w = world();
			const { inReview, tenantId } = await depositBuilders(w);
			const deposit = await inReview({ value: 2n ** 256n - 1n }, {});
			expect(deposit).toMatchObject({
				reviewCode: "AMOUNT_ABOVE_AUTO_LIMIT",
				closed: null
			});
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 0n,
				held: 0n
			});
			expect(await w.wallets.totals(tenantId)).toMatchObject({ credited: usdt(0n) });
			expect(await eventTypesOf(w, tenantId, deposit.id)).toEqual(["deposit.pending", "deposit.in_review"]);
		});
		test("puts a dropped transfer in review", async () => {
			const w = world();
			const { gone, claimOne, tenantId } = await depositBuilders(w);
			const { id } = await gone();
			expect(await w.deposits.commit(settleDepositCommit(w, await claimOne()))).toBe("committed");
			expect(await w.deposits.get(tenantId, id)).toMatchObject({
				status: "in_review",
				reviewCode: "TRANSFER_DROPPED"
			});
		});
		test("commits exactly once of 12 concurrent settlements", async () => {
			const w = world();
			const { due, claimOne, tenantId } = await depositBuilders(w);
			await due();
			const claimed = await claimOne();
			const writes = Array.from({ length: 12 }, (_, n) => settleDepositCommit(w, claimed, n % 2 === 0 ? {} : { isSenderBlocked: true }));
			const results = await Promise.all(writes.map((write) => w.deposits.commit(write)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "stale")).toHaveLength(11);
			const won = writes[results.indexOf("committed")]?.step.deposit;
			expect(await w.deposits.get(tenantId, claimed.deposit.id)).toEqual(won);
			const credited = won?.status === "credited" ? 25000000n : 0n;
			expect(await balanceOf(w, tenantId)).toEqual({
				available: credited,
				held: 0n
			});
			expect(await eventTypesOf(w, tenantId, claimed.deposit.id)).toHaveLength(2);
		});
		test("repeated with the same claim is stale and moves nothing", async () => {
			const w = world();
			const { due, claimOne, tenantId } = await depositBuilders(w);
			await due();
			const write = settleDepositCommit(w, await claimOne());
			expect(await w.deposits.commit(write)).toBe("committed");
			expect(await w.deposits.commit(write)).toBe("stale");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 25000000n,
				held: 0n
			});
		});
		test("of many tenants at once credits each deposit to its own wallet", async () => {
			const w = world();
			const tenants = [await depositBuilders(w)];
			const [{ head, solid }] = tenants;
			for (let n = 0; n < 3; n++) tenants.push(await buildersOfAnotherTenant(w, {
				head,
				solid
			}));
			for (const [n, { due }] of tenants.entries()) await due(...Array.from({ length: 6 }, () => ({ value: BigInt(n + 1) * 1000000n })));
			const claimed = await w.deposits.claimDue(100, 100);
			const results = await Promise.all(claimed.map((each) => w.deposits.commit(settleDepositCommit(w, each))));
			expect(results).toEqual(Array.from({ length: 24 }, () => "committed"));
			for (const [n, { tenantId }] of tenants.entries()) {
				const available = BigInt(n + 1) * 6000000n;
				expect(await balanceOf(w, tenantId)).toEqual({
					available,
					held: 0n
				});
			}
		});
		test("of random amounts leaves the wallet with exactly the credits, and balanced books", async () => {
			const w = world();
			const { due, tenantId } = await depositBuilders(w);
			let credited = 0n;
			const anyValue = fc.oneof(fc.bigInt({
				min: 1n,
				max: 3000000n
			}), fc.constantFrom(MAX_MINOR, MAX_MINOR + 1n, 2n ** 256n - 1n));
			await fc.assert(fc.asyncProperty(fc.array(anyValue, {
				minLength: 1,
				maxLength: 5
			}), async (values) => {
				await due(...values.map((value) => ({ value })));
				for (const claimed of await w.deposits.claimDue(10, 100)) {
					const write = settleDepositCommit(w, claimed);
					expect(await w.deposits.commit(write)).toBe("committed");
					if (write.step.deposit.status === "credited") credited += claimed.deposit.amount.minor;
				}
				expect(await balanceOf(w, tenantId)).toEqual({
					available: credited,
					held: 0n
				});
				const books = await w.wallets.books(tenantId);
				expect(books && isBalanced(books.wallet, books.totals)).toBe(true);
				expect(books?.totals.credited).toEqual(usdt(credited));
			}), { numRuns: runs });
		});
	});
}
// packages/contracts/src/stores/deposit/deposit-store.contract.ts
/** The contract of a `DepositStore`. `scanStoreContract` proves how deposits are inserted. */
function depositStoreContract(name, open, { runs = 25 } = {}) {
	describe(`deposit store in ${name}`, () => {
		claimDepositTests(open);
		settleDepositTests(open, runs);
		limitUnverifiedCreditTests(open);
		resolveReviewTests(open);
		listDepositsTests(open);
	});
}
// packages/contracts/src/stores/difference/difference-store.contract.ts
const start = /* @__PURE__ */ new Date("2026-03-04T05:06:07.089Z");
const after$3 = (seconds) => new Date(start.getTime() + seconds * 1e3);
const closure = (over = {}) => ({
	by: "ana",
	at: after$3(50),
	reason: "La red lo corrigió.",
	proposalId: null,
	...over
});
const off = (minor) => ({
	expected: bob(10000n),
	found: bob(10000n + minor),
	detail: `${minor} off`
});
/** The contract of a `DifferenceStore`. */
function differenceStoreContract(name, open) {
	describe(`difference store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("stores a difference of each check as it was found", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			const all = [
				foundDifference(w.ids, {
					tenantId,
					detail: "débito ñ 💸",
					scope: "2026-03-04"
				}),
				foundDifference(w.ids, {
					check: "chain",
					expected: usdt(2n ** 200n),
					found: null
				}),
				foundDifference(w.ids, {
					check: "liquidity",
					expected: null,
					found: null
				}),
				foundDifference(w.ids, {
					check: "ledger",
					kind: "credit",
					expected: null,
					found: usdt(-1n)
				})
			];
			await w.differences.record(all, start);
			await w.differences.record([], start);
			for (const found of all) {
				const stored = await w.differences.find(found.id);
				expect(stored).toEqual({
					...found,
					foundAt: start,
					lastSeenAt: start,
					goneAt: null,
					closure: null,
					status: "open",
					change: stored?.change
				});
			}
			expect(await w.differences.find("dif_00000000000000000000000000")).toBeUndefined();
		});
		test("what only the store finds is refused, with the whole call", async () => {
			const w = world();
			for (const over of [{
				check: "ledger",
				kind: "available"
			}, { check: "audit" }]) {
				const found = [foundDifference(w.ids), foundDifference(w.ids, over)];
				await expect(w.differences.record(found, start)).rejects.toThrow(/by the store alone/);
			}
			expect(await idsOf$1(w.differences.list({ limit: 9 }))).toEqual([]);
		});
		test("seen again it is one difference with the newest detail; a changed amount is a change", async () => {
			const w = world();
			const first = foundDifference(w.ids, off(-5n));
			await w.differences.record([first], start);
			const [opened] = await w.differences.listChanged(0n, 9);
			const moved = {
				...off(-5n),
				expected: bob(7n),
				found: bob(2n),
				detail: "moved"
			};
			await w.differences.record([foundDifference(w.ids, moved)], after$3(10));
			expect(await w.differences.list({ limit: 9 })).toEqual({
				items: [{
					...opened,
					...moved,
					lastSeenAt: after$3(10)
				}],
				next: null
			});
			expect(await w.differences.listChanged(opened?.change ?? 0n, 9)).toEqual([]);
			await w.differences.record([foundDifference(w.ids, off(-6n))], after$3(5));
			const [changed] = await w.differences.listChanged(opened?.change ?? 0n, 9);
			expect(changed).toMatchObject({
				id: first.id,
				...off(-6n),
				lastSeenAt: after$3(10)
			});
		});
		test("a difference of another check, kind or subject is another one", async () => {
			const w = world();
			const all = [
				{},
				{ kind: "missing" },
				{ subject: "po_2" },
				{ check: "chain" }
			].map((over) => foundDifference(w.ids, over));
			for (const each of [all, all]) await w.differences.record(each, start);
			expect((await idsOf$1(w.differences.list({ limit: 9 }))).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
		});
		test("what a completed run of the same scope has not seen is gone, and can be found again", async () => {
			const w = world();
			const day = { scope: "2026-03-04" };
			const seen = foundDifference(w.ids, {
				...day,
				subject: "seen"
			});
			const unseen = foundDifference(w.ids, {
				...day,
				subject: "unseen"
			});
			const otherDay = foundDifference(w.ids, {
				scope: "2026-03-05",
				subject: "other day"
			});
			const otherCheck = foundDifference(w.ids, {
				...day,
				check: "chain"
			});
			await w.differences.record([
				seen,
				unseen,
				otherDay,
				otherCheck
			], start);
			await w.differences.record([seen], after$3(60));
			const run = {
				check: "network",
				...day
			};
			expect(await w.differences.resolveUnseen(run, after$3(60))).toBe(1);
			expect(await w.differences.resolveUnseen(run, after$3(60))).toBe(0);
			expect(await w.differences.find(unseen.id)).toMatchObject({
				status: "gone",
				goneAt: after$3(60),
				lastSeenAt: start
			});
			expect(await idsOf$1(w.differences.list({
				limit: 9,
				status: "gone"
			}))).toEqual([unseen.id]);
			expect(await w.differences.close(unseen.id, closure())).toBe("stale");
			const again = foundDifference(w.ids, {
				...day,
				subject: "unseen"
			});
			await w.differences.record([again], after$3(120));
			expect(await w.differences.find(again.id)).toMatchObject({ foundAt: after$3(120) });
			expect((await w.differences.find(unseen.id))?.status).toBe("gone");
		});
		test("an operator closes an open difference once, with an audit entry", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			const found = foundDifference(w.ids, { tenantId });
			await w.differences.record([found], start);
			const [stored] = await w.differences.listChanged(0n, 9);
			const results = await Promise.all([
				"ana",
				"eva",
				"omar"
			].map((by) => w.differences.close(found.id, closure({ by }))));
			expect(results.toSorted()).toEqual([
				"committed",
				"stale",
				"stale"
			]);
			const closed = await w.differences.find(found.id);
			const by = [
				"ana",
				"eva",
				"omar"
			][results.indexOf("committed")] ?? "";
			expect(closed).toEqual({
				...stored,
				status: "closed",
				closure: closure({ by })
			});
			if (closed) expect(await auditEntries(w.audit, {
				subject: found.id,
				limit: 9
			})).toEqual([auditDifference(closed, closure({ by }))]);
			expect(await w.differences.listChanged(0n, 9)).toEqual([]);
			expect(await w.differences.close("dif_00000000000000000000000000", closure())).toBe("stale");
		});
		test("a closed one stays closed while it is seen unchanged; otherwise it is gone and a new one is open", async () => {
			const w = world();
			const first = foundDifference(w.ids, off(-5n));
			await w.differences.record([first], start);
			await w.differences.close(first.id, closure());
			await w.differences.record([foundDifference(w.ids, off(-5n))], after$3(60));
			expect(await w.differences.list({ limit: 9 })).toMatchObject({ items: [{
				id: first.id,
				status: "closed",
				lastSeenAt: after$3(60),
				detail: first.detail
			}] });
			const second = foundDifference(w.ids, off(-6n));
			await w.differences.record([second], after$3(120));
			expect(await w.differences.find(first.id)).toMatchObject({
				status: "closed",
				goneAt: after$3(120),
				lastSeenAt: after$3(60)
			});
			expect((await w.differences.listChanged(0n, 9)).map(({ id }) => id)).toEqual([second.id]);
		});
		test("a proposal that closes it is an executed one of its tenant", async () => {
			const w = world();
			const [tenantId, otherId] = [await w.newWallet(usdt(9n)), await w.newWallet(usdt(9n))];
			const found = foundDifference(w.ids, { tenantId });
			const ofAll = foundDifference(w.ids, { subject: "po_2" });
			await w.differences.record([found, ofAll], start);
			const adjustment = (of) => ({
				id: w.ids.next("prp", start),
				tenantId: of,
				direction: "in",
				amount: usdt(5n),
				reason: "corrección",
				actor: "ana"
			});
			const [mine, foreign, unexecuted] = [
				tenantId,
				otherId,
				tenantId
			].map(adjustment);
			if (!mine || !foreign || !unexecuted) throw new Error("three adjustments");
			for (const each of [mine, foreign]) expect(await adjustWallet(w, each)).toBe("committed");
			await approveAdjustment(w, unexecuted);
			const close = (id, proposalId) => w.differences.close(id, closure({ proposalId }));
			for (const { id } of [foreign, unexecuted]) await expect(close(found.id, id)).rejects.toThrow(/not an executed one/);
			await expect(close(ofAll.id, mine.id)).rejects.toThrow(/not an executed one/);
			expect((await w.differences.find(found.id))?.status).toBe("open");
			expect(await close(found.id, mine.id)).toBe("committed");
			const closed = await w.differences.find(found.id);
			expect(closed?.closure?.proposalId).toBe(mine.id);
			if (closed?.closure) expect(await auditEntries(w.audit, {
				subject: found.id,
				limit: 9
			})).toEqual([auditDifference(closed, closed.closure)]);
		});
		test("lists newest first, by state, check, tenant and subject, in pages", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			const all = [
				{ subject: "a" },
				{ check: "chain" },
				{ tenantId },
				{ subject: "d" }
			].map((over) => foundDifference(w.ids, over));
			for (const [n, each] of all.entries()) await w.differences.record([each], after$3(n));
			const [a, chain, ofTenant, d] = all.map(({ id }) => id);
			await w.differences.close(a ?? "", closure());
			const list = (filter) => idsOf$1(w.differences.list({
				limit: 9,
				...filter
			}));
			expect(await list({})).toEqual([
				d,
				ofTenant,
				chain,
				a
			]);
			expect(await list({ status: "open" })).toEqual([
				d,
				ofTenant,
				chain
			]);
			expect(await list({ status: "closed" })).toEqual([a]);
			expect(await list({ check: "chain" })).toEqual([chain]);
			expect(await list({
				check: "network",
				status: "open"
			})).toEqual([d, ofTenant]);
			expect(await list({ tenantId })).toEqual([ofTenant]);
			expect(await list({
				tenantId,
				status: "gone"
			})).toEqual([]);
			expect(await list({ subject: "a" })).toEqual([a]);
			expect(await list({
				subject: "d",
				check: "network",
				status: "open"
			})).toEqual([d]);
			expect(await list({
				subject: "d",
				tenantId
			})).toEqual([]);
			expect(await list({
				subject: "a",
				status: "open"
			})).toEqual([]);
			const { items, next } = await w.differences.list({ limit: 3 });
			expect(items.map(({ id }) => id)).toEqual([
				d,
				ofTenant,
				chain
			]);
			expect(next).toEqual({
				createdAt: after$3(1),
				id: chain
			});
			if (next) expect(await list({ after: next })).toEqual([a]);
		});
		test("changes are listed in the order of their commits, a page at a time", async () => {
			const w = world();
			const all = Array.from({ length: 30 }, (_, n) => foundDifference(w.ids, { subject: `po_${n}` }));
			const read = [];
			const readPage = async () => {
				const page = await w.differences.listChanged(read.at(-1) ?? 0n, 7);
				read.push(...page.map(({ change }) => change));
			};
			const recording = all.map((each) => w.differences.record([each], start));
			for (const recorded of recording) await Promise.all([recorded, readPage()]);
			while (read.length < 30) await readPage();
			expect(new Set(read).size).toBe(30);
			expect(read).toEqual(read.toSorted((x, y) => x < y ? -1 : 1));
		});
		test("whether it is seen unchanged is what the core says", async () => {
			const w = world();
			const amount = fc.option(fc.bigInt({
				min: -3n,
				max: 3n
			}).map(bob));
			const seen = fc.record({
				detail: fc.constantFrom("one", "other"),
				expected: amount,
				found: amount,
				check: fc.constantFrom("network", "liquidity")
			});
			const both = fc.tuple(seen, seen).map(([a, b]) => [a, {
				...b,
				check: a.check
			}]);
			let n = 0;
			await fc.assert(fc.asyncProperty(both, async ([a, b]) => {
				const subject = `po_${n++}`;
				const first = foundDifference(w.ids, {
					...a,
					subject
				});
				const again = foundDifference(w.ids, {
					...b,
					subject
				});
				await w.differences.record([first], start);
				const before = await w.differences.find(first.id);
				await w.differences.record([again], after$3(1));
				const same = (await w.differences.find(first.id))?.change === before?.change;
				expect(same).toBe(isSameDifference(first, again));
			}), { numRuns: 40 });
		});
	});
}
const idsOf$1 = async (page) => (await page).items.map(({ id }) => id);
// packages/contracts/src/stores/webhook/endpoint-control-store.contract.ts
const after$2 = (seconds) => new Date(someInstant.getTime() + seconds * 1e3);
const pause$1 = {
	by: "ana",
	at: after$2(1),
	reason: "Su servidor no responde. 💸"
};
const resumption$1 = {
	by: "ben",
	at: after$2(2),
	reason: null
};
const [ana, ben] = [tokenHashOf("ana"), tokenHashOf("ben")];
/** The contract of an `EndpointControlStore`, and that `WebhookStore` and `DeliveryStore` obey a pause. */
function endpointControlStoreContract(name, open) {
	describe(`endpoint control store in ${name}`, () => {
		const world = useWorld(open, "each");
		const newSubscriber = () => openSubscriber(world());
		const control = () => world().endpointControl;
		const auditOf = ({ id }) => auditEntries(world().audit, {
			subject: id,
			limit: 20
		});
		test("events queue while the pause lasts; a resumption sends them once, in their order", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			const { id } = endpoint;
			expect(await control().pause(endpoint, pause$1, ana)).toBe("committed");
			expect(await control().pause(endpoint, {
				...pause$1,
				at: after$2(9)
			}, ana)).toBe("stale");
			const paused = {
				...endpoint,
				status: "paused",
				pausedAt: pause$1.at,
				operatorPause: pause$1,
				updatedAt: pause$1.at
			};
			expect(await control().find(id)).toEqual(paused);
			expect((await world().webhooks.get(tenantId, id))?.endpoint).toEqual(paused);
			const events = await subscriber.emitEvents(12);
			expect(await subscriber.claimDue()).toEqual([]);
			expect(await world().deliveries.enqueue(allDue)).toEqual([]);
			const resumed = await control().resume(endpoint, resumption$1, defaultEndpointPolicy, ben);
			const active = {
				...endpoint,
				updatedAt: resumption$1.at
			};
			expect(resumed).toEqual({
				endpoint: active,
				requeued: 12,
				redelivered: 0
			});
			expect(await control().find(id)).toEqual(active);
			await world().advance(1);
			const claimed = await subscriber.claimDue();
			expect(claimed.map(({ claim }) => claim.eventId)).toEqual(events);
			for (const each of claimed) await subscriber.record(each);
			await world().advance(60);
			expect(await subscriber.claimDue()).toEqual([]);
			expect(await auditOf(endpoint)).toEqual([auditEndpointResumption(paused, resumption$1), auditEndpointPause(endpoint, pause$1)]);
		});
		test("the tenant can neither reactivate nor resend while the pause lasts, and can after it", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne());
			await control().pause(endpoint, pause$1, ana);
			const before = await control().find(endpoint.id);
			const ref = {
				endpointId: endpoint.id,
				eventId
			};
			const { webhooks, deliveries } = world();
			const reactivate = () => webhooks.reactivate(tenantId, endpoint.id, defaultEndpointPolicy, after$2(5));
			expect(await reactivate()).toBe("paused_by_operator");
			expect(await deliveries.resend(tenantId, ref)).toBe("paused_by_operator");
			expect(await control().find(endpoint.id)).toEqual(before);
			expect(await deliveries.get(tenantId, ref)).toMatchObject({ status: "delivered" });
			await control().resume(endpoint, resumption$1, defaultEndpointPolicy, ben);
			expect(await reactivate()).toMatchObject({ requeued: 0 });
			expect(await deliveries.resend(tenantId, ref)).toBe("committed");
		});
		test("an endpoint that failures paused is paused again, and resumed with what was exhausted", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const { id } = await subscriber.newEndpoint();
			await subscriber.pause();
			const failed = await control().find(id);
			expect(failed).toMatchObject({
				status: "paused",
				operatorPause: null
			});
			expect(await control().pause({
				id,
				tenantId
			}, pause$1, ana)).toBe("committed");
			const paused = await control().find(id);
			expect(paused).toMatchObject({
				pausedAt: failed?.pausedAt,
				operatorPause: pause$1
			});
			const reason = "El receptor responde.";
			const resumed = await control().resume({
				id,
				tenantId
			}, {
				...resumption$1,
				reason
			}, defaultEndpointPolicy, ben);
			expect(resumed).toMatchObject({
				requeued: 0,
				redelivered: 5,
				endpoint: {
					status: "active",
					consecutiveFailures: 0,
					operatorPause: null
				}
			});
			const [resumptionEntry, pauseEntry] = await auditEntries(world().audit, {
				subject: id,
				limit: 9
			});
			expect(resumptionEntry?.after).toEqual({
				status: "active",
				reason
			});
			expect(pauseEntry?.before).toEqual({ status: "paused" });
		});
		test("attempts under way at the pause are recorded; one that failed queues", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			const [arriving, failing] = await subscriber.emitEvents(2);
			const claimed = await subscriber.claimDue();
			await control().pause(endpoint, pause$1, ana);
			for (const each of claimed) {
				const over = each.claim.eventId === failing ? retryIn(1e3) : {};
				expect(await subscriber.record(each, over)).toMatchObject({ type: "recorded" });
			}
			await world().advance(3600);
			expect(await subscriber.claimDue()).toEqual([]);
			const statusOf = async (eventId = "") => (await world().deliveries.get(tenantId, {
				endpointId: endpoint.id,
				eventId
			}))?.status;
			expect([await statusOf(arriving), await statusOf(failing)]).toEqual(["delivered", "held"]);
		});
		test("a resumption of an active endpoint makes retries due; without any it writes no audit entry", async () => {
			const subscriber = await newSubscriber();
			const endpoint = await subscriber.newEndpoint();
			await control().resume(endpoint, resumption$1, defaultEndpointPolicy, ben);
			expect(await auditOf(endpoint)).toEqual([]);
			await subscriber.emitEvent();
			await subscriber.record(await subscriber.claimOne(), retryIn(36e5));
			const resumed = await control().resume(endpoint, resumption$1, defaultEndpointPolicy, ben);
			expect(resumed).toMatchObject({
				requeued: 1,
				redelivered: 0
			});
			expect(await auditOf(endpoint)).toEqual([auditEndpointResumption(endpoint, resumption$1)]);
		});
		test("an operator resends one delivery while the pause lasts", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			await control().pause(endpoint, pause$1, ana);
			const [eventId = ""] = await subscriber.emitEvents(2);
			const ref = {
				endpointId: endpoint.id,
				eventId
			};
			const resend = () => control().resend(tenantId, ref, resumption$1, ben);
			expect(await resend()).toBe("committed");
			expect(await resend()).toBe("pending");
			const claimed = await subscriber.claimOne();
			expect(claimed).toMatchObject({
				claim: { eventId },
				isResend: true
			});
			await subscriber.record(claimed, {
				attempt: failedAttempt,
				decision: { type: "exhausted" }
			});
			expect(await world().deliveries.get(tenantId, ref)).toMatchObject({ status: "held" });
			expect(await subscriber.claimDue()).toEqual([]);
			const [entry, ...others] = await auditOf(endpoint);
			expect(entry).toEqual(auditResend(tenantId, ref, resumption$1));
			expect(others).toEqual([auditEndpointPause(endpoint, pause$1)]);
			const unknown = {
				...ref,
				eventId: world().ids.uuid(someInstant)
			};
			expect(await control().resend(tenantId, unknown, resumption$1, ben)).toBe("not_found");
		});
		test("without the token of an operator or admin nothing is written; nor in another person’s name", async () => {
			const subscriber = await newSubscriber();
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const ref = {
				endpointId: endpoint.id,
				eventId
			};
			await subscriber.record(await subscriber.claimOne());
			const writes = (by, hash) => [
				() => control().pause(endpoint, {
					...pause$1,
					by
				}, hash),
				() => control().resume(endpoint, {
					...resumption$1,
					by
				}, defaultEndpointPolicy, hash),
				() => control().resend(tenantId, ref, {
					by,
					at: after$2(1)
				}, hash)
			];
			for (const by of [
				"vic",
				"aud",
				"nobody"
			]) for (const write of writes(by, tokenHashOf(by))) expect(await write()).toBe("unauthorized");
			for (const write of writes("ben", ana)) await expect(write()).rejects.toThrow("token");
			expect(await control().find(endpoint.id)).toEqual(endpoint);
			expect(await auditOf(endpoint)).toEqual([]);
		});
		test("neither an unknown endpoint nor one in another tenant’s name is found", async () => {
			const [subscriber, other] = [await newSubscriber(), await newSubscriber()];
			const endpoint = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			const unknown = {
				...endpoint,
				id: world().ids.next("we", someInstant)
			};
			for (const { id, tenantId } of [unknown, {
				...endpoint,
				tenantId: other.tenantId
			}]) {
				const ref = {
					endpointId: id,
					eventId
				};
				expect(await control().pause({
					id,
					tenantId
				}, pause$1, ana)).toBe("not_found");
				expect(await control().resume({
					id,
					tenantId
				}, resumption$1, defaultEndpointPolicy, ben)).toBe("not_found");
				expect(await control().resend(tenantId, ref, resumption$1, ben)).toBe("not_found");
			}
			expect(await control().find(unknown.id)).toBeUndefined();
			expect(await control().find(endpoint.id)).toEqual(endpoint);
		});
	});
}
// packages/contracts/src/stores/event/event-store.contract.ts
/** The contract of an `EventStore`. `payoutStoreContract` proves which writes make events. */
function eventStoreContract(name, open, { runs = 50 } = {}) {
	describe(`event store in ${name}`, () => {
		const world = useWorld(open);
		test("reads back an event’s bytes and instants exactly as committed", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyBody, anyInstant, async (body, at) => {
				const { id: tenantId } = await w.newTenant();
				const write = w.insertEndedCommit(await w.newQuote(tenantId), { at });
				const event = eventIn(write, { body });
				const step = {
					...write.step,
					event
				};
				expect(await w.payouts.commit({
					...write,
					step
				})).toBe("committed");
				expect(await plainEvents(w, tenantId, event.subjectId)).toEqual([plainEvent(event)]);
				const found = await w.events.get(tenantId, event.id);
				expect(found && plainEvent(found)).toEqual(plainEvent(event));
			}), { numRuns: runs });
		});
		test("finds neither another tenant’s events nor those of an unknown subject", async () => {
			const w = world();
			const [{ id: owner }, { id: otherTenant }] = [await w.newTenant(), await w.newTenant()];
			const write = w.insertEndedCommit(await w.newQuote(owner));
			await w.payouts.commit(write);
			expect(await eventsAbout(w, otherTenant, write.step.payout.id)).toEqual([]);
			const unknown = w.ids.next("po", someInstant);
			expect(await eventsAbout(w, owner, unknown)).toEqual([]);
			expect(await w.events.get(otherTenant, write.step.event?.id ?? "")).toBeUndefined();
			expect(await w.events.get(owner, w.ids.uuid(someInstant))).toBeUndefined();
			expect((await w.events.list(otherTenant, { limit: 10 })).items).toEqual([]);
		});
		test("lists a tenant’s events newest first, filtered by type and time, in pages, each once", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			const quote = await w.newQuote(tenantId);
			const events = [];
			for (const second of [
				1,
				2,
				2,
				3,
				4,
				5
			]) {
				const at = new Date(someInstant.getTime() + second * 1e3);
				const write = w.insertEndedCommit(quote, { at });
				await w.payouts.commit(write);
				events.push(eventIn(write, {}));
			}
			const rowsOf = async (query) => (await listed(w, tenantId, query)).items;
			const rows = events.map(positionOf);
			await expectPages(rows, (query) => listed(w, tenantId, query));
			const [from, to] = [new Date(someInstant.getTime() + 2e3), new Date(someInstant.getTime() + 4e3)];
			const between = rows.filter(({ createdAt }) => createdAt >= from && createdAt <= to);
			expect(await rowsOf({
				from,
				to
			})).toEqual(newestFirst$2(between));
			expect(await rowsOf({ type: "payout.cancelled" })).toHaveLength(events.length);
			expect(await rowsOf({ type: "payout.completed" })).toEqual([]);
		});
	});
}
const positionOf = ({ id, recordedAt }) => ({
	id,
	createdAt: recordedAt
});
async function listed({ events }, tenantId, query) {
	const page = await events.list(tenantId, {
		limit: 50,
		...query
	});
	return {
		...page,
		items: page.items.map(positionOf)
	};
}
/** JSON with unusual spaces, escapes and member order, which parsing and encoding anew would change. */
const anyBody = fc.record({
	value: fc.jsonValue(),
	note: anyText,
	indent: fc.constantFrom(0, 1, 3, "	")
}).map(({ value, note, indent }) => new TextEncoder().encode(` ${JSON.stringify({
	z: value,
	a: note,
	é: 1
}, null, indent)}\n`));
function eventIn({ step }, over) {
	if (step.event === null) throw new Error("this write has no event");
	return {
		...step.event,
		...over
	};
}
async function plainEvents(world, tenantId, subjectId) {
	return (await eventsAbout(world, tenantId, subjectId)).map(plainEvent);
}
// packages/contracts/src/fixtures/faucet/sends.ts
/** Limits that refuse nothing. */
const noLimits = {
	perRequest: usdt(MAX_MINOR),
	perTenant: usdt(MAX_MINOR),
	requestsPerTenant: 1e6,
	perAddress: usdt(MAX_MINOR),
	shared: usdt(MAX_MINOR),
	spacingSeconds: 0,
	windowSeconds: defaultFaucetLimits.windowSeconds
};
/** A draft of a send, by default of 25 USDT with its own key and transaction. */
function newDraft({ ids }, tenantId, options = {}) {
	const id = options.id ?? ids.uuid(someInstant);
	const account = options.account ?? accountOf("a wallet");
	return {
		id,
		tenantId,
		key: options.key ?? `key of ${id}`.replaceAll(" ", "-"),
		fingerprint: options.fingerprint ?? "v1:body",
		chain: "tron",
		account,
		address: options.address ?? testAddresses.format(account),
		amount: options.amount ?? usdt(25000000n),
		transfer: {
			txHash: options.txHash ?? hashOf(id),
			bytes: new TextEncoder().encode(`{"of" : "${id}",\n\t"note": "ñ \\u00e9"} `),
			expiresAt: new Date(someInstant.getTime() + 9e4)
		}
	};
}
/** Commits a send, by default with a lease of 100 s. */
function commitSend$1(world, tenantId, options = {}) {
	const draft = newDraft(world, tenantId, options);
	const limits = {
		...noLimits,
		...options.limits
	};
	const checkLimits = options.checkLimits ?? checkFaucetLimits(limits, draft.amount);
	return world.faucet.commit(draft, checkLimits, limits, options.leaseSeconds ?? 100);
}
/** An accepted send. */
async function newSend(world, tenantId, options = {}) {
	const committed = await commitSend$1(world, tenantId, options);
	if (committed.type !== "committed") throw new Error(`the send is ${committed.type}`);
	return committed.send;
}
/** The only send that is due. */
async function claimOne$1(faucet, leaseSeconds = 100) {
	const [claimed, ...others] = await faucet.claimDue(10, leaseSeconds);
	if (claimed === void 0 || others.length > 0) throw new Error("expected exactly one due send");
	return claimed;
}
/** A settled send. No other send may be due. */
async function settledSend(world, tenantId, status, options = {}) {
	const send = await newSend(world, tenantId, {
		...options,
		leaseSeconds: 0
	});
	const { claim } = await claimOne$1(world.faucet);
	if (await world.faucet.settle(claim, status) !== "committed") throw new Error("a stale claim");
	return {
		...send,
		status
	};
}
/** A send to compare with `toEqual`: its bytes as an array, since stores may return a subclass of Uint8Array. */
const plainSend = (send) => send && {
	...send,
	transfer: {
		...send.transfer,
		bytes: [...send.transfer.bytes]
	}
};
/** The sums of usage in micro-USDT, and the tenant's number of requests. */
async function usageSums({ faucet }, tenantId, account = accountOf("a wallet")) {
	const { usage } = await faucet.usage(tenantId, account, noLimits.windowSeconds);
	const sum = (uses) => uses.reduce((total, { amount }) => total + amount.minor, 0n);
	return {
		tenant: sum(usage.tenant),
		requests: usage.tenant.length,
		address: sum(usage.address),
		shared: sum(usage.shared)
	};
}
// packages/contracts/src/stores/faucet/claim-send.contract.ts
/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds$4 = 100;
function claimSendTests(open) {
	describe("claims of sends", () => {
		const world = useWorld(open, "each");
		const newTenantId = async (w) => (await w.newTenant()).id;
		const claimDue = ({ faucet }, limit = 10) => faucet.claimDue(limit, leaseSeconds$4);
		const idsOf = (rows) => rows.map(({ send }) => send.id);
		test("a new send is leased to its writer, and after that due as committed", async () => {
			const w = world();
			const send = await newSend(w, await newTenantId(w), { leaseSeconds: 100 });
			await w.advance(50);
			expect(await claimDue(w)).toEqual([]);
			await w.advance(51);
			const [claimed, ...others] = await claimDue(w);
			expect(others).toEqual([]);
			expect(plainSend(claimed?.send)).toEqual(plainSend(send));
			expect(claimed).toMatchObject({
				claim: {
					tenantId: send.tenantId,
					sendId: send.id
				},
				claimCount: 1
			});
		});
		test("claims the oldest due first, at most `limit`, each once", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const sends = [];
			for (let n = 0; n < 3; n++) {
				sends.push((await newSend(w, tenantId, { leaseSeconds: 0 })).id);
				await w.advance(10);
			}
			expect(idsOf(await claimDue(w, 2)).toSorted()).toEqual(sends.slice(0, 2).toSorted());
			expect(idsOf(await claimDue(w, 2))).toEqual(sends.slice(2));
			await w.advance(50);
			expect(await claimDue(w)).toEqual([]);
		});
		test("after its lease a send is due again, with a higher fencing token and claim count", async () => {
			const w = world();
			await newSend(w, await newTenantId(w), { leaseSeconds: 0 });
			let token = 0;
			for (const count of [
				1,
				2,
				3
			]) {
				const claimed = await claimOne$1(w.faucet);
				expect(claimed.claimCount).toBe(count);
				expect(claimed.claim.fencingToken).toBeGreaterThan(token);
				token = claimed.claim.fencingToken;
				await w.advance(101);
			}
		});
		test("yieldClaim makes it due after `dueInSeconds` and keeps the claim count", async () => {
			const w = world();
			await newSend(w, await newTenantId(w), { leaseSeconds: 0 });
			const { claim } = await claimOne$1(w.faucet);
			expect(await w.faucet.yieldClaim(claim, 50)).toBe(true);
			await w.advance(40);
			expect(await claimDue(w)).toEqual([]);
			await w.advance(11);
			expect(await claimDue(w)).toMatchObject([{ claimCount: 2 }]);
		});
		test("a lost claim can neither be yielded nor settle", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const { key } = await newSend(w, tenantId, { leaseSeconds: 0 });
			const old = await claimOne$1(w.faucet);
			await w.advance(101);
			const mine = await claimOne$1(w.faucet);
			expect(await w.faucet.yieldClaim(old.claim, 0)).toBe(false);
			expect(await claimDue(w)).toEqual([]);
			expect(await w.faucet.settle(old.claim, "failed")).toBe("stale");
			expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: "submitted" });
			expect(await w.faucet.settle(mine.claim, "confirmed")).toBe("committed");
			expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: "confirmed" });
		});
		test("a claim with another tenant’s id neither yields nor settles", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const { key } = await newSend(w, tenantId, { leaseSeconds: 0 });
			const { claim } = await claimOne$1(w.faucet);
			const stolen = {
				...claim,
				tenantId: await newTenantId(w)
			};
			expect(await w.faucet.yieldClaim(stolen, 0)).toBe(false);
			expect(await w.faucet.settle(stolen, "failed")).toBe("stale");
			expect(await w.faucet.find(tenantId, key)).toMatchObject({ status: "submitted" });
		});
		test("12 concurrent workers claim each exactly once", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const sends = await Promise.all(Array.from({ length: 6 }, () => newSend(w, tenantId, { leaseSeconds: 0 })));
			const claimed = [...(await Promise.all(Array.from({ length: 12 }, () => claimDue(w, 4)))).flat(), ...await claimDue(w)];
			expect(idsOf(claimed).toSorted()).toEqual(sends.map(({ id }) => id).toSorted());
		});
		test("only one of two concurrent settlements commits", async () => {
			const w = world();
			await newSend(w, await newTenantId(w), { leaseSeconds: 0 });
			const { claim } = await claimOne$1(w.faucet);
			const ends = ["confirmed", "failed"].map((end) => w.faucet.settle(claim, end));
			expect((await Promise.all(ends)).toSorted()).toEqual(["committed", "stale"]);
		});
		test.each(["confirmed", "failed"])("a send that is %s is never due, cannot be settled again, and is otherwise unchanged", async (status) => {
			const w = world();
			const tenantId = await newTenantId(w);
			const send = await newSend(w, tenantId, { leaseSeconds: 0 });
			const { claim } = await claimOne$1(w.faucet);
			expect(await w.faucet.settle(claim, status)).toBe("committed");
			expect(await w.faucet.settle(claim, "confirmed")).toBe("stale");
			expect(await w.faucet.settle(claim, "failed")).toBe("stale");
			expect(await w.faucet.yieldClaim(claim, 0)).toBe(false);
			await w.advance(1e5);
			expect(await claimDue(w)).toEqual([]);
			expect(plainSend(await w.faucet.find(tenantId, send.key))).toEqual(plainSend({
				...send,
				status
			}));
		});
		test("settling one send does not change another", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			await settledSend(w, tenantId, "failed");
			const { id } = await newSend(w, tenantId, { leaseSeconds: 0 });
			expect(idsOf(await claimDue(w))).toEqual([id]);
		});
	});
}
// packages/contracts/src/stores/faucet/commit-send.contract.ts
const refusing = () => ({
	code: "FAUCET_TOO_SOON",
	retryAfterSeconds: 7
});
const nothing = {
	tenant: 0n,
	requests: 0,
	address: 0n,
	shared: 0n
};
function commitSendTests(open) {
	describe("committing sends", () => {
		const world = useWorld(open, "each");
		const newTenantId = async (w) => (await w.newTenant()).id;
		test("reads back a send as committed, byte for byte", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const draft = newDraft(w, tenantId, { key: "an-attempt" });
			const before = (await w.faucet.usage(tenantId, draft.account, 60)).now;
			const remainingToday = usdt(123456789n);
			const committed = await w.faucet.commit(draft, () => ({ remainingToday }), noLimits, 100);
			const after = (await w.faucet.usage(tenantId, draft.account, 60)).now;
			const send = await w.faucet.find(tenantId, "an-attempt");
			const createdAt = send?.createdAt ?? before;
			expect(plainSend(send)).toEqual(plainSend({
				...draft,
				status: "submitted",
				remainingToday,
				createdAt
			}));
			expect(committed.type === "committed" && plainSend(committed.send)).toEqual(plainSend(send));
			expect(plainSend(await w.faucet.get(tenantId, draft.id))).toEqual(plainSend(send));
			expect(createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
			expect(createdAt.getTime()).toBeLessThanOrEqual(after.getTime());
		});
		test("stores the largest amount exactly", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const amount = usdt(2n ** 63n - 1n);
			const { key } = await newSend(w, tenantId, {
				amount,
				checkLimits: () => ({ remainingToday: amount })
			});
			expect(await w.faucet.find(tenantId, key)).toMatchObject({
				amount,
				remainingToday: amount
			});
		});
		test("finds neither an unknown key nor another tenant’s", async () => {
			const w = world();
			const [one, other] = [await newTenantId(w), await newTenantId(w)];
			await newSend(w, one, { key: "attempt" });
			expect(await w.faucet.find(one, "Attempt")).toBeUndefined();
			expect(await w.faucet.find(other, "attempt")).toBeUndefined();
			const { id } = await w.faucet.find(one, "attempt") ?? { id: "" };
			expect(await w.faucet.get(one, id)).toMatchObject({ id });
			expect(await w.faucet.get(other, id)).toBeUndefined();
			expect(await w.faucet.get(one, w.ids.uuid(someInstant))).toBeUndefined();
		});
		test("spec §4 — any string is a key, and different strings are different keys", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, n) => 33 + n));
			const bytes = String.fromCharCode(9, 32, ...Array.from({ length: 128 }, (_, n) => 128 + n));
			const long = [
				"K".repeat(255),
				"k".repeat(255),
				"ÿ".repeat(255)
			];
			const keys = [
				visible,
				`${visible}!`,
				bytes,
				...long,
				"1",
				"01",
				"a b",
				"a  b",
				`'"\\%_$1`
			];
			for (const key of keys) await newSend(w, tenantId, {
				key,
				fingerprint: `v1:${key}`
			});
			for (const key of keys) expect(await w.faucet.find(tenantId, key)).toMatchObject({
				key,
				fingerprint: `v1:${key}`
			});
		});
		test("a used key returns its first send, even above the limits", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const send = await newSend(w, tenantId, { key: "attempt" });
			const again = await commitSend$1(w, tenantId, {
				key: "attempt",
				checkLimits: refusing
			});
			expect(again.type === "stored" && plainSend(again.send)).toEqual(plainSend(send));
			expect(await usageSums(w, tenantId)).toMatchObject({ requests: 1 });
		});
		test("tenants do not share keys", async () => {
			const w = world();
			const [one, other] = [await newTenantId(w), await newTenantId(w)];
			const [first, second] = [await newSend(w, one, { key: "attempt" }), await newSend(w, other, { key: "attempt" })];
			expect(second.id).not.toBe(first.id);
			expect(await w.faucet.find(one, "attempt")).toMatchObject({ id: first.id });
			expect(await w.faucet.find(other, "attempt")).toMatchObject({ id: second.id });
		});
		test("of 30 concurrent commits with one key one commits, and the others return its send", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const all = await Promise.all(Array.from({ length: 30 }, () => commitSend$1(w, tenantId, { key: "attempt" })));
			const committed = all.flatMap((each) => each.type === "committed" ? [each.send] : []);
			expect(committed).toHaveLength(1);
			const known = all.flatMap((each) => each.type === "stored" ? [each.send] : []);
			expect(known.map(plainSend)).toEqual(Array.from({ length: 29 }, () => plainSend(committed[0])));
			expect(await usageSums(w, tenantId)).toMatchObject({
				requests: 1,
				tenant: 25000000n
			});
		});
		test("a refusal writes nothing, has its reason, and leaves the key free", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const options = {
				key: "attempt",
				txHash: hashOf("one")
			};
			expect(await commitSend$1(w, tenantId, {
				...options,
				checkLimits: refusing
			})).toEqual({
				type: "refused",
				refusal: {
					code: "FAUCET_TOO_SOON",
					retryAfterSeconds: 7
				}
			});
			expect(await w.faucet.find(tenantId, "attempt")).toBeUndefined();
			expect(await usageSums(w, tenantId)).toEqual(nothing);
			expect(await commitSend$1(w, tenantId, options)).toMatchObject({ type: "committed" });
		});
		test("a decision that throws writes nothing and locks nothing", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const broken = () => {
				throw new Error("a bug");
			};
			const committed = commitSend$1(w, tenantId, {
				key: "attempt",
				checkLimits: broken
			});
			await expect(committed).rejects.toThrow("a bug");
			expect(await usageSums(w, tenantId)).toEqual(nothing);
			expect(await commitSend$1(w, tenantId, { key: "attempt" })).toMatchObject({ type: "committed" });
		});
		test("a transaction hash of another send is a collision: nothing is written, the key stays free", async () => {
			const w = world();
			const [one, other] = [await newTenantId(w), await newTenantId(w)];
			const txHash = hashOf("one transaction");
			await newSend(w, one, { txHash });
			const before = await usageSums(w, other);
			expect(await commitSend$1(w, other, {
				key: "attempt",
				txHash
			})).toEqual({ type: "collision" });
			expect(await w.faucet.find(other, "attempt")).toBeUndefined();
			expect(await usageSums(w, other)).toEqual(before);
			expect(await commitSend$1(w, other, { key: "attempt" })).toMatchObject({ type: "committed" });
		});
		test("exactly one of 10 concurrent commits with one transaction hash commits", async () => {
			const w = world();
			const tenantIds = await Promise.all(Array.from({ length: 10 }, () => newTenantId(w)));
			const txHash = hashOf("one transaction");
			const all = await Promise.all(tenantIds.map((id) => commitSend$1(w, id, { txHash })));
			expect(all.map(({ type }) => type).toSorted()).toEqual([...Array.from({ length: 9 }, () => "collision"), "committed"]);
			expect(await usageSums(w, tenantIds[0] ?? "")).toMatchObject({ shared: 25000000n });
		});
		test("throws for an unknown tenant", async () => {
			const w = world();
			const unknownTenant = w.ids.next("ten", someInstant);
			await expect(commitSend$1(w, unknownTenant)).rejects.toThrow();
			expect(await usageSums(w, unknownTenant)).toEqual(nothing);
		});
	});
}
// packages/contracts/src/stores/faucet/limit-sends.contract.ts
const thirty = usdt(30000000n);
const hundred = usdt(100000000n);
const { windowSeconds } = noLimits;
const accepted = (all) => all.filter(({ type }) => type === "committed").length;
const codes = (all) => new Set(all.flatMap((each) => each.type === "refused" ? [each.refusal.code] : []));
/** `count` concurrent sends to different wallets, by these tenants in turn. */
const atOnce = (w, tenantIds, count, options) => Promise.all(Array.from({ length: count }, (_, n) => commitSend$1(w, tenantIds[n % tenantIds.length] ?? "", {
	account: accountOf(`wallet ${n}`),
	...options
})));
function limitSendsTests(open) {
	describe("limits", () => {
		const world = useWorld(open, "each");
		const newTenantId = async (w) => (await w.newTenant()).id;
		const newTenantIds = (w, count) => Promise.all(Array.from({ length: count }, () => newTenantId(w)));
		test("100 concurrent sends of one tenant stay within its amount", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const all = await atOnce(w, [tenantId], 100, {
				amount: thirty,
				limits: { perTenant: hundred }
			});
			expect(accepted(all)).toBe(3);
			expect(codes(all)).toEqual(/* @__PURE__ */ new Set(["FAUCET_LIMIT_EXCEEDED"]));
			expect(await usageSums(w, tenantId)).toMatchObject({
				tenant: 90000000n,
				requests: 3
			});
		});
		test("100 concurrent sends of one tenant stay within its number of requests", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const all = await atOnce(w, [tenantId], 100, { limits: { requestsPerTenant: 10 } });
			expect(accepted(all)).toBe(10);
			expect(codes(all)).toEqual(/* @__PURE__ */ new Set(["FAUCET_LIMIT_EXCEEDED"]));
		});
		test("one of 100 concurrent sends of one tenant is accepted, the others are too soon", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const all = await atOnce(w, [tenantId], 100, { limits: { spacingSeconds: 60 } });
			expect(accepted(all)).toBe(1);
			expect(codes(all)).toEqual(/* @__PURE__ */ new Set(["FAUCET_TOO_SOON"]));
		});
		test("100 concurrent sends of 20 tenants stay within the amount of one address", async () => {
			const w = world();
			const tenantIds = await newTenantIds(w, 20);
			const account = accountOf("a wallet of many");
			expect(accepted(await atOnce(w, tenantIds, 100, {
				account,
				amount: thirty,
				limits: { perAddress: hundred }
			}))).toBe(3);
			expect((await usageSums(w, tenantIds[0] ?? "", account)).address).toBe(90000000n);
		});
		test("100 concurrent sends of 20 tenants stay within the shared amount", async () => {
			const w = world();
			const tenantIds = await newTenantIds(w, 20);
			expect(accepted(await atOnce(w, tenantIds, 100, {
				amount: thirty,
				limits: { shared: hundred }
			}))).toBe(3);
			expect((await usageSums(w, tenantIds[0] ?? "")).shared).toBe(90000000n);
		});
		test("100 concurrent sends with distinct keys stay within every default limit", async () => {
			const w = world();
			const tenantIds = await newTenantIds(w, 25);
			const options = {
				amount: hundred,
				account: accountOf("a wallet"),
				limits: defaultFaucetLimits
			};
			const all = await atOnce(w, tenantIds, 100, options);
			expect(accepted(all)).toBe(10);
			for (const tenantId of tenantIds) {
				const { requests, address, shared } = await usageSums(w, tenantId);
				expect(requests).toBeLessThanOrEqual(1);
				expect([address, shared]).toEqual([1000000000n, 1000000000n]);
			}
		});
		test("usage separates the tenant’s, the address’s and the shared sends", async () => {
			const w = world();
			const [one, other] = await newTenantIds(w, 2);
			const [mine, yours] = [accountOf("mine"), accountOf("yours")];
			await newSend(w, one ?? "", {
				account: mine,
				amount: usdt(1000000n)
			});
			await newSend(w, one ?? "", {
				account: yours,
				amount: usdt(20000000n)
			});
			await newSend(w, other ?? "", {
				account: yours,
				amount: usdt(300000000n)
			});
			expect(await usageSums(w, one ?? "", mine)).toEqual({
				tenant: 21000000n,
				requests: 2,
				address: 1000000n,
				shared: 321000000n
			});
			expect(await usageSums(w, other ?? "", yours)).toEqual({
				tenant: 300000000n,
				requests: 1,
				address: 320000000n,
				shared: 321000000n
			});
		});
		test("usage excludes sends before the window", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			await newSend(w, tenantId, { amount: thirty });
			await w.advance(900);
			await newSend(w, tenantId, { amount: hundred });
			const sumsOf = async (seconds) => {
				const { usage } = await w.faucet.usage(tenantId, accountOf("a wallet"), seconds);
				return [
					usage.tenant,
					usage.address,
					usage.shared
				].map((uses) => uses.reduce((sum, { amount }) => sum + amount.minor, 0n));
			};
			expect(await sumsOf(1e3)).toEqual([
				130000000n,
				130000000n,
				130000000n
			]);
			expect(await sumsOf(800)).toEqual([
				100000000n,
				100000000n,
				100000000n
			]);
		});
		test("the decision reads earlier sends with their instants, and the store’s time", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const first = await newSend(w, tenantId);
			await w.advance(100);
			const second = await newSend(w, tenantId, { checkLimits: ({ tenant, address }, now) => {
				const uses = [{
					at: first.createdAt,
					amount: first.amount
				}];
				expect({
					tenant,
					address
				}).toEqual({
					tenant: uses,
					address: uses
				});
				const age = now.getTime() - first.createdAt.getTime();
				expect(age).toBeGreaterThanOrEqual(1e5);
				expect(age).toBeLessThan(16e4);
				return { remainingToday: usdt(0n) };
			} });
			expect(second.createdAt.getTime()).toBeGreaterThanOrEqual(first.createdAt.getTime() + 1e5);
		});
		test.each([
			[
				"tenant’s amount",
				{ limits: { perTenant: hundred } },
				{ account: accountOf("another") }
			],
			[
				"tenant’s number",
				{ limits: { requestsPerTenant: 1 } },
				{ account: accountOf("another") }
			],
			[
				"address’s",
				{ limits: { perAddress: hundred } },
				{}
			],
			[
				"shared",
				{ limits: { shared: hundred } },
				{ account: accountOf("another") }
			]
		])("the %s limit is a rolling window of 24 hours", async (_, limits, over) => {
			const w = world();
			const tenantId = await newTenantId(w);
			await newSend(w, tenantId, { amount: hundred });
			const again = () => commitSend$1(w, tenantId, {
				amount: hundred,
				...limits,
				...over
			});
			await w.advance(windowSeconds - 30);
			expect(await again()).toMatchObject({ type: "refused" });
			await w.advance(120);
			expect(await again()).toMatchObject({ type: "committed" });
			expect(await again()).toMatchObject({ type: "refused" });
		});
		test("a refusal has the seconds until a send of this amount is accepted", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			await newSend(w, tenantId, { amount: thirty });
			await w.advance(5e3);
			await newSend(w, tenantId, { amount: hundred });
			const options = {
				amount: thirty,
				limits: { perTenant: usdt(130000000n) }
			};
			const refused = await commitSend$1(w, tenantId, options);
			const seconds = refused.type === "refused" ? refused.refusal.retryAfterSeconds : 0;
			expect(seconds).toBeGreaterThan(windowSeconds - 5060);
			expect(seconds).toBeLessThanOrEqual(windowSeconds - 5e3);
			await w.advance(seconds - 30);
			expect(await commitSend$1(w, tenantId, options)).toMatchObject({ type: "refused" });
			await w.advance(30);
			expect(await commitSend$1(w, tenantId, options)).toMatchObject({ type: "committed" });
		});
		test("a failed send counts as a request and in no amount", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			const { createdAt } = await settledSend(w, tenantId, "failed", { amount: hundred });
			expect(await usageSums(w, tenantId)).toEqual({
				tenant: 0n,
				requests: 1,
				address: 0n,
				shared: 0n
			});
			const { usage } = await w.faucet.usage(tenantId, accountOf("a wallet"), windowSeconds);
			expect(usage.tenant).toEqual([{
				at: createdAt,
				amount: usdt(0n)
			}]);
			const amounts = {
				perTenant: hundred,
				perAddress: hundred,
				shared: hundred
			};
			const [requests, spacing] = [{ requestsPerTenant: 1 }, { spacingSeconds: 3600 }];
			for (const limits of [requests, spacing]) expect(await commitSend$1(w, tenantId, { limits })).toMatchObject({ type: "refused" });
			const sent = await commitSend$1(w, tenantId, {
				amount: hundred,
				limits: amounts
			});
			expect(sent).toMatchObject({ type: "committed" });
		});
		test("a confirmed send counts like a submitted one", async () => {
			const w = world();
			const tenantId = await newTenantId(w);
			await settledSend(w, tenantId, "confirmed", { amount: thirty });
			await newSend(w, tenantId, { amount: hundred });
			expect(await usageSums(w, tenantId)).toEqual({
				tenant: 130000000n,
				requests: 2,
				address: 130000000n,
				shared: 130000000n
			});
		});
	});
}
// packages/contracts/src/stores/faucet/faucet-store.contract.ts
/** The contract of a `FaucetStore`. */
function faucetStoreContract(name, open) {
	describe(`faucet store in ${name}`, () => {
		commitSendTests(open);
		limitSendsTests(open);
		claimSendTests(open);
	});
}
// packages/contracts/src/stores/ledger/one-instant.contract.ts
/**
* Proves that a settlement has one instant: in the wallet transaction, in the payout or deposit, in its event
* and in the answer to the caller. The instants of a tenant's log never decrease.
*/
function oneInstantContract(name, open, { runs = 15 } = {}) {
	describe(`the instant of a settlement in ${name}`, () => {
		const world = useWorld(open, "each");
		test("a settlement keeps its instant when the log has no later entry", async () => {
			const w = world();
			const [write] = await captures(w, await w.newWallet(usdt(100n)), [at$2(5)]);
			expect(write && await w.payouts.commit(write)).toBe("committed");
			await expectOneInstant(w, write?.step.payout.tenantId ?? "");
		});
		test("a settlement before the newest log entry is redated to that entry", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const [later, earlier] = await captures(w, tenantId, [at$2(9), at$2(5)]);
			expect(await w.payouts.commit(later)).toBe("committed");
			expect(await w.payouts.commit(earlier)).toEqual({ redatedTo: at$2(9) });
			const { payout } = earlier.step;
			expect(await w.payouts.get(tenantId, payout.id)).toEqual({
				...payout,
				endedAt: at$2(9)
			});
			const [event] = await eventsAbout(w, tenantId, payout.id);
			expect(event?.id.slice(13)).toBe(earlier.step.event?.id.slice(13));
			expect(event?.body.length).toBe(earlier.step.event?.body.length);
			await expectOneInstant(w, tenantId);
		});
		test("an operator’s credit is redated in the audit log too", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const deposit = await builders.inReview();
			const [capture] = await withFunds(w, builders, [at$2(9)]);
			expect(capture && await w.payouts.commit(capture)).toBe("committed");
			const write = await creditDepositCommit(w, deposit, at$2(5));
			expect(await w.deposits.commit(write)).toEqual({ redatedTo: at$2(9) });
			const [entry] = await auditEntries(w.audit, {
				subject: deposit.id,
				limit: 10
			});
			expect(entry?.at).toEqual(at$2(9));
			await expectOneInstant(w, builders.tenantId);
		});
		test("a release and an ended payout before the newest log entry are redated to that entry", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const [later] = await captures(w, tenantId, [at$2(9)]);
			expect(later && await w.payouts.commit(later)).toBe("committed");
			const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
			const release = w.settleCommit(payout, { type: "refused_payment" }, { at: at$2(5) });
			expect(await w.payouts.commit(release)).toEqual({ redatedTo: at$2(9) });
			const refusal = w.insertEndedCommit(await w.newQuote(tenantId), { at: at$2(7) });
			expect(await w.payouts.commit(refusal)).toEqual({ redatedTo: at$2(9) });
			for (const { payout: ended } of [release.step, refusal.step]) {
				expect(await w.payouts.get(tenantId, ended.id)).toEqual({
					...ended,
					endedAt: at$2(9)
				});
				const [event] = await eventsAbout(w, tenantId, ended.id);
				expect(event).toMatchObject({
					occurredAt: at$2(9),
					recordedAt: at$2(9)
				});
				expect(JSON.parse(new TextDecoder().decode(event?.body))).toMatchObject({
					id: event?.id,
					occurred_at: at$2(9).toISOString(),
					recorded_at: at$2(9).toISOString()
				});
			}
			expect((await w.wallets.find(tenantId))?.updatedAt).toEqual(at$2(9));
		});
		test("a hold is no log entry: a settlement before it keeps its instant", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const early = (ms) => new Date(someInstant.getTime() + ms);
			const credit = await crediting(w, builders, early(5));
			expect(await w.deposits.commit(credit)).toBe("committed");
			const [capture] = await captures(w, builders.tenantId, [early(9)]);
			expect(capture && await w.payouts.commit(capture)).toBe("committed");
			await expectOneInstant(w, builders.tenantId);
		});
		test("a deposit.pending event is recorded no earlier than the newest log entry, and occurred at its block’s time", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			await builders.credited();
			const [pending] = await builders.pending();
			const [event] = await eventsAbout(w, builders.tenantId, pending?.id ?? "");
			const dated = {
				occurredAt: someInstant,
				recordedAt: laterInstant
			};
			expect(event).toMatchObject({
				type: "deposit.pending",
				...dated
			});
			expect(JSON.parse(new TextDecoder().decode(event?.body))).toMatchObject({
				id: event?.id,
				occurred_at: someInstant.toISOString(),
				recorded_at: laterInstant.toISOString()
			});
		});
		test("the event of a review is redated like a credit; the review keeps its instant", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			await builders.due();
			const claimed = await builders.claimOne();
			const [capture] = await withFunds(w, builders, [at$2(9)]);
			expect(capture && await w.payouts.commit(capture)).toBe("committed");
			const write = settleDepositCommit(w, claimed, { isSenderBlocked: true }, at$2(5));
			expect(await w.deposits.commit(write)).toBe("committed");
			const { id } = write.step.deposit;
			expect(await w.deposits.get(builders.tenantId, id)).toEqual(write.step.deposit);
			const events = await eventsAbout(w, builders.tenantId, id);
			const wanted = plainEvent(redateEvent(write.step.event, at$2(9)));
			expect(events.slice(1).map(plainEvent)).toEqual([wanted]);
		});
		test("random instants, sequential and concurrent", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const { tenantId } = builders;
			await withFunds(w, builders, []);
			const anySettlement = fc.record({
				kind: fc.constantFrom("capture", "capture", "release", "credit", "review"),
				instant: fc.oneof(fc.nat(9).map(at$2), fc.nat(9).map((n) => new Date(someInstant.getTime() + n)))
			});
			const anyHistory = fc.array(anySettlement, {
				minLength: 1,
				maxLength: 12
			});
			await fc.assert(fc.asyncProperty(anyHistory, fc.boolean(), async (history, isConcurrent) => {
				const commits = [];
				for (const each of history) commits.push(await committing(w, builders, each));
				if (isConcurrent) await Promise.all(commits.map((commit) => commit()));
				else for (const commit of commits) await commit();
				await expectOneInstant(w, tenantId);
			}), { numRuns: runs });
		});
	});
}
const at$2 = (ms) => new Date(laterInstant.getTime() + ms);
/** Commits that capture, one for each instant. */
const captures = (w, tenantId, instants) => Promise.all(instants.map(async (instant) => {
	const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
	return w.settleCommit(payout, paidAnswer(payout), { at: instant });
}));
async function withFunds(w, { tenantId }, instants) {
	const funds = {
		tenantId,
		direction: "in",
		reason: "funds",
		actor: "test"
	};
	const id = w.ids.uuid(someInstant);
	expect(await adjustWallet(w, {
		...funds,
		id,
		amount: usdt(1000000n)
	})).toBe("committed");
	return captures(w, tenantId, instants);
}
/** Prepares a commit. The returned function runs it, and expects that its answer is the stored instant. */
async function committing(w, builders, { kind, instant }) {
	const { tenantId } = builders;
	if (kind === "credit" || kind === "review") {
		const write = kind === "review" ? await creditDepositCommit(w, await builders.inReview(), instant) : await crediting(w, builders, instant);
		return async () => {
			const { deposit } = write.step;
			const committed = await w.deposits.commit(write);
			if (committed !== "committed" && typeof committed === "string") throw new Error(committed);
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(depositAsCommitted(deposit, committed));
		};
	}
	const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
	const answer = kind === "capture" ? paidAnswer(payout) : { type: "no_liquidity" };
	const write = w.settleCommit(payout, answer, { at: instant });
	return async () => {
		const committed = await w.payouts.commit(write);
		const endedAt = typeof committed === "object" ? committed.redatedTo : write.step.payout.endedAt;
		const stored = await w.payouts.get(tenantId, payout.id);
		expect(stored).toEqual({
			...write.step.payout,
			endedAt
		});
	};
}
async function crediting(w, { due, claimOne }, instant) {
	await due();
	return settleDepositCommit(w, await claimOne(), {}, instant);
}
/** Expects that payout, deposit and event have the instant of their row, and that rows never go back in time. */
async function expectOneInstant(w, tenantId) {
	const { items: rows } = await w.wallets.transactions(tenantId, { limit: 1e4 });
	for (const [n, row] of rows.entries()) {
		const { createdAt, payoutId, depositId } = row;
		expect(createdAt.getTime()).toBeGreaterThanOrEqual(rows[n + 1]?.createdAt.getTime() ?? 0);
		const among = await w.wallets.transactions(tenantId, {
			limit: 1e4,
			from: createdAt,
			to: createdAt
		});
		expect(among.items).toContainEqual(row);
		if (payoutId === null && depositId === null) continue;
		expect(await settledAt(w, tenantId, row)).toEqual(createdAt);
		expectDated((await eventsAbout(w, tenantId, payoutId ?? depositId ?? "")).filter(({ type }) => type === "payout.completed" || type === "deposit.credited"), createdAt);
	}
}
async function settledAt(w, tenantId, { payoutId, depositId }) {
	if (payoutId !== null) {
		const payout = await w.payouts.get(tenantId, payoutId);
		return payout?.status === "completed" ? payout.endedAt : void 0;
	}
	const deposit = await w.deposits.get(tenantId, depositId ?? "");
	return deposit?.status === "credited" ? deposit.creditedAt : void 0;
}
/** Expects exactly one event, with this instant in its members and in its bytes. */
function expectDated(events, instant) {
	expect(events).toHaveLength(1);
	for (const { id, occurredAt, recordedAt, body } of events) {
		expect(occurredAt).toEqual(instant);
		expect(recordedAt).toEqual(instant);
		expect(parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(recordedAt.getTime());
		expect(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))).toMatchObject({
			id,
			occurred_at: instant.toISOString(),
			recorded_at: recordedAt.toISOString(),
			settled_at: instant.toISOString(),
			note: "ñ 💸 é"
		});
	}
}
// packages/contracts/src/stores/payout/network-call-store.contract.ts
/** The contract of a `NetworkCallStore`. */
function networkCallStoreContract(name, open) {
	describe(`network call store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("stores every kind of call as it is, newest first, in pages", async () => {
			const w = world();
			const payout = await processing$3(w);
			const calls = [
				call(w, 0, {
					kind: "pay",
					askedBy: "request",
					answer: "unknown",
					detail: "señal 💸"
				}),
				call(w, 1, {
					askedBy: "worker",
					answer: "not_seen"
				}),
				call(w, 2, {
					kind: "cancel",
					askedBy: "operator",
					actor: "ana",
					answer: "cancelled"
				})
			];
			await w.networkCalls.record(refOf(payout), calls.slice(0, 2));
			await w.networkCalls.record(refOf(payout), calls.slice(2));
			const newestFirst = calls.toReversed();
			const all = await w.networkCalls.list(refOf(payout), { limit: 10 });
			expect(all).toEqual({
				items: newestFirst,
				next: null
			});
			const first = await w.networkCalls.list(refOf(payout), { limit: 2 });
			expect(first.items).toEqual(newestFirst.slice(0, 2));
			const rest = {
				limit: 2,
				...first.next && { after: first.next }
			};
			expect(await w.networkCalls.list(refOf(payout), rest)).toEqual({
				items: newestFirst.slice(2),
				next: null
			});
		});
		test("a call that is recorded again stays one", async () => {
			const w = world();
			const payout = await processing$3(w);
			const [first, second] = [call(w, 0), call(w, 1)];
			await w.networkCalls.record(refOf(payout), [first]);
			await w.networkCalls.record(refOf(payout), [first, second]);
			expect(await stored$1(w, payout)).toEqual([second, first]);
		});
		test("yieldClaim stores the calls, also when its claim is not the newest", async () => {
			const w = world();
			const payout = await processing$3(w);
			const claim = ownerClaim(payout);
			const given = {
				dueInSeconds: 0,
				raised: {}
			};
			const [first, second] = [call(w, 0), call(w, 1)];
			expect(await w.payouts.yieldClaim(claim, {
				...given,
				calls: [first]
			})).toBe(true);
			const [claimed] = await w.payouts.claimDue(1, 15);
			expect(claimed?.payout.id).toBe(payout.id);
			expect(await w.payouts.yieldClaim(claim, {
				...given,
				calls: [second]
			})).toBe(false);
			expect(await stored$1(w, payout)).toEqual([second, first]);
		});
		test("records nothing about a payout that is unknown, another tenant’s, or was never applied", async () => {
			const w = world();
			const payout = await processing$3(w);
			const { tenantId } = await processing$3(w);
			const insert = w.insertEndedCommit(await w.newQuote(tenantId));
			await w.payouts.commit(insert);
			const wrong = [
				{
					tenantId,
					payoutId: "po_00000000000000000000000000"
				},
				{
					tenantId,
					payoutId: payout.id
				},
				{
					tenantId,
					payoutId: insert.step.payout.id
				}
			];
			for (const ref of wrong) {
				await expect(w.networkCalls.record(ref, [call(w, 0)])).rejects.toThrow("no payout");
				await w.networkCalls.record(ref, []);
				expect(await w.networkCalls.list(ref, { limit: 10 })).toEqual({
					items: [],
					next: null
				});
			}
		});
	});
}
async function processing$3(w) {
	const tenantId = await w.newWallet(usdt(100n));
	return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }));
}
const refOf = ({ tenantId, id }) => ({
	tenantId,
	payoutId: id
});
const stored$1 = async (w, payout) => (await w.networkCalls.list(refOf(payout), { limit: 10 })).items;
function call({ ids }, seconds, over = {}) {
	const createdAt = new Date(someInstant.getTime() + seconds * 1e3);
	return {
		id: ids.next("nwc", createdAt),
		createdAt,
		kind: "status",
		answer: "late",
		detail: null,
		durationMs: 7,
		askedBy: "worker",
		actor: null,
		...over
	};
}
// packages/contracts/src/fixtures/payout/decided-settlement.ts
/** The step of a settlement that people decided, with its event. */
function recordPayoutStepOf(ids, payout, action, at) {
	const step = decidedStep(payout, action, at);
	const { event: type, payout: settled } = step;
	if (type === null) throw new Error("a settlement by evidence has an event");
	const draft = {
		type,
		occurredAt: settled.endedAt,
		data: settled
	};
	return {
		...step,
		event: recordEvent({
			ids,
			encodeEvent: encodeForTest,
			now: () => at
		}, draft)
	};
}
// packages/contracts/src/stores/payout/decide-payout.contract.ts
const evidence = {
	note: "carta de la red",
	digest: "d".repeat(64)
};
/** A payout about which a worker has asked the network, whose lease has ended; and the worker's claim. */
async function asked(w) {
	const tenantId = await w.newWallet(usdt(100n));
	const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }));
	await w.payouts.yieldClaim(ownerClaim(payout), {
		dueInSeconds: 0,
		raised: {},
		calls: []
	});
	const [claimed] = await w.payouts.claimDue(1, 100);
	if (!claimed) throw new Error("the payout is due");
	const call = {
		id: w.ids.next("nwc", someInstant),
		createdAt: someInstant,
		askedBy: "worker",
		actor: null,
		durationMs: 0,
		detail: null
	};
	const ref = {
		tenantId,
		payoutId: payout.id
	};
	await w.networkCalls.record(ref, [{
		...call,
		kind: "status",
		answer: "not_seen"
	}]);
	return claimed;
}
const actionOf = ({ id: payoutId }, outcome) => ({
	type: "settle_payout",
	payoutId,
	outcome,
	paid: outcome === "completed" ? bob(9900n) : null,
	networkPaymentId: outcome === "completed" ? "np-7" : null
});
/** An approved proposal of this settlement; `over` changes what is then settled. */
async function approved$1(w, payout, outcome = "completed", over = {}) {
	const action = actionOf(payout, outcome);
	const id = w.ids.next("prp", someInstant);
	const author = {
		id,
		tenantId: payout.tenantId,
		actor: "ana",
		reason: "la red pagó otro monto"
	};
	const open = {
		...openProposalOf(author, action),
		evidence
	};
	await w.proposals.insert(open, tokenHashOf("ana"));
	const proposal = {
		...open,
		status: "approved",
		approval: {
			at: someInstant,
			by: "eva"
		}
	};
	expect(await w.proposals.commit(proposal, tokenHashOf("eva"))).toBe("committed");
	const settled = {
		...action,
		...over
	};
	const step = recordPayoutStepOf(w.ids, payout, settled, laterInstant);
	const { reason } = author;
	return {
		proposal,
		settlement: {
			step,
			action: settled,
			proposalId: id,
			actor: "ana",
			reason
		}
	};
}
function decidePayoutTests(open) {
	const world = useWorld(open, "each");
	test.each([
		[
			"completed",
			70n,
			"payout.completed"
		],
		[
			"failed",
			100n,
			"payout.failed"
		],
		[
			"cancelled",
			100n,
			"payout.cancelled"
		]
	])("settles a payout as %s, with its proposal, event and audit entry", async (...row) => {
		const [outcome, available, type] = row;
		const w = world();
		const { payout } = await asked(w);
		const { tenantId, id } = payout;
		const { proposal, settlement } = await approved$1(w, payout, outcome);
		expect(await w.payoutDecisions.settle(settlement)).toBe("committed");
		expect(await w.payouts.get(tenantId, id)).toEqual(settlement.step.payout);
		expect(await balanceOf(w, tenantId)).toEqual({
			available,
			held: 0n
		});
		const [event, ...more] = await eventsAbout(w, tenantId, id);
		expect([event?.type, more]).toEqual([type, []]);
		expect(event?.body).toEqual(settlement.step.event?.body);
		expect(await w.proposals.find(proposal.id)).toEqual(executeProposal(proposal, laterInstant));
		const audit = await auditEntries(w.audit, {
			subject: id,
			limit: 10
		});
		expect(audit).toEqual([auditSettlement(settlement, laterInstant)]);
		expect(await w.payoutDecisions.settle(settlement)).toBe("stale");
	});
	test("nothing is settled without an approved proposal of exactly this settlement", async () => {
		const w = world();
		const { payout } = await asked(w);
		const differences = [
			{ outcome: "failed" },
			{ paid: bob(1n) },
			{ networkPaymentId: null }
		];
		for (const over of differences) {
			const { settlement } = await approved$1(w, payout, "completed", over);
			expect(await w.payoutDecisions.settle(settlement)).toBe("not_approved");
		}
		const { settlement } = await approved$1(w, payout);
		for (const over of [
			{ proposalId: "prp_x" },
			{ actor: "eva" },
			{ reason: "otra" }
		]) expect(await w.payoutDecisions.settle({
			...settlement,
			...over
		})).toBe("not_approved");
		expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(payout);
		expect(await balanceOf(w, payout.tenantId)).toEqual({
			available: 70n,
			held: 30n
		});
	});
	test("a hold is never released by people before the network was asked, however old it is", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }));
		await w.advance(172800);
		const { settlement } = await approved$1(w, payout, "cancelled");
		await expect(w.payoutDecisions.settle(settlement)).rejects.toThrow("not asked");
		expect(await balanceOf(w, tenantId)).toEqual({
			available: 70n,
			held: 30n
		});
	});
	test("exactly one of a worker and twelve executions settles, and the hold moves once", async () => {
		const w = world();
		const claimed = await asked(w);
		const { payout } = claimed;
		const { proposal, settlement } = await approved$1(w, payout, "failed");
		const byWorker = w.settleCommit(payout, paidAnswer(payout), {
			...claimed,
			timing: "late"
		});
		const [worker, ...people] = await Promise.all([w.payouts.commit(byWorker), ...Array.from({ length: 12 }, () => w.payoutDecisions.settle(settlement))]);
		const isWorkers = worker === "committed";
		expect(people.filter((result) => result === "committed")).toHaveLength(isWorkers ? 0 : 1);
		expect(people.filter((result) => result === "stale")).toHaveLength(isWorkers ? 12 : 11);
		const available = isWorkers ? 70n : 100n;
		expect(await balanceOf(w, payout.tenantId)).toEqual({
			available,
			held: 0n
		});
		expect(await eventsAbout(w, payout.tenantId, payout.id)).toHaveLength(1);
		const status = (await w.proposals.find(proposal.id))?.status;
		expect(status).toBe(isWorkers ? "approved" : "executed");
	});
	test("after people have settled it, the worker’s claim is stale and the payout is never due", async () => {
		const w = world();
		const claimed = await asked(w);
		const { settlement } = await approved$1(w, claimed.payout, "cancelled");
		expect(await w.payoutDecisions.settle(settlement)).toBe("committed");
		const late = w.settleCommit(claimed.payout, paidAnswer(claimed.payout), claimed);
		expect(await w.payouts.commit(late)).toBe("stale");
		await w.advance(1e3);
		expect(await w.payouts.claimDue(10, 100)).toEqual([]);
	});
	test("a settlement before the newest entry of the log gets the instant of that entry", async () => {
		const w = world();
		const { payout } = await asked(w);
		const { tenantId } = payout;
		const { proposal, settlement } = await approved$1(w, payout, "failed");
		const logged = w.insertEndedCommit(await w.newQuote(tenantId), { at: laterInstant });
		await w.payouts.commit(logged);
		const step = recordPayoutStepOf(w.ids, payout, settlement.action, someInstant);
		expect(await w.payoutDecisions.settle({
			...settlement,
			step
		})).toBe("committed");
		expect(await w.payouts.get(tenantId, payout.id)).toMatchObject({ endedAt: laterInstant });
		const [event] = await eventsAbout(w, tenantId, payout.id);
		expect(event?.recordedAt).toEqual(laterInstant);
		const executed = executeProposal(proposal, laterInstant);
		expect(await w.proposals.find(proposal.id)).toEqual(executed);
	});
}
// packages/contracts/src/stores/payout/payout-decision-store.contract.ts
const leaseSeconds$3 = 100;
/** The contract of a `PayoutDecisionStore`. */
function payoutDecisionStoreContract(name, open) {
	describe(`payout decision store in ${name}`, () => {
		describe("reading", () => {
			findTests(open);
		});
		describe("claims of operators", () => {
			claimTests(open);
		});
		describe("settlements by people", () => {
			decidePayoutTests(open);
		});
	});
}
async function processing$2(w) {
	const tenantId = await w.newWallet(usdt(100n));
	return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds: leaseSeconds$3 });
}
/** A payout whose request has given up; due in 50 s. */
async function yielded(w) {
	const payout = await processing$2(w);
	await w.payouts.yieldClaim(ownerClaim(payout), {
		dueInSeconds: 50,
		raised: { PROCESSING_TOO_LONG: "slow" },
		calls: []
	});
	return payout;
}
const callOf = ({ tenantId, id: payoutId }, question = "status") => ({
	tenantId,
	payoutId,
	question,
	actor: "ana",
	at: someInstant
});
async function claimed$3(w, payout) {
	const result = await w.payoutDecisions.claim(callOf(payout), leaseSeconds$3);
	if (typeof result === "string") throw new Error(result);
	return result;
}
function findTests(open) {
	const world = useWorld(open, "each");
	test("finds a payout of any tenant, and whether the network was asked about it", async () => {
		const w = world();
		await processing$2(w);
		const payout = await yielded(w);
		expect(await w.payoutDecisions.find(payout.id)).toEqual({
			payout,
			isAsked: false
		});
		const ref = {
			tenantId: payout.tenantId,
			payoutId: payout.id
		};
		for (const askedBy of ["request", "worker"]) {
			const asked = {
				kind: "status",
				answer: "late",
				askedBy,
				actor: null,
				createdAt: someInstant,
				durationMs: 0,
				detail: null
			};
			await w.networkCalls.record(ref, [{
				id: w.ids.next("nwc", someInstant),
				...asked
			}]);
			const isAsked = askedBy === "worker";
			expect(await w.payoutDecisions.find(payout.id)).toEqual({
				payout,
				isAsked
			});
		}
		const settle = w.settleCommit(payout, paidAnswer(payout));
		await w.payouts.commit(settle);
		expect(await w.payoutDecisions.find(payout.id)).toMatchObject({ payout: settle.step.payout });
		expect(await w.payoutDecisions.find("po_00000000000000000000000000")).toBeUndefined();
	});
}
function claimTests(open) {
	const world = useWorld(open, "each");
	const auditOf = (w, { id }) => auditEntries(w.audit, {
		subject: id,
		limit: 10
	});
	test("an operator claims a payout before it is due, with an audit entry", async () => {
		const w = world();
		const payout = await yielded(w);
		expect(await claimed$3(w, payout)).toEqual({
			payout,
			claim: {
				tenantId: payout.tenantId,
				payoutId: payout.id,
				fencingToken: 2
			},
			claimCount: 1,
			unansweredCount: 0,
			openSeconds: expect.closeTo(0, 0),
			raised: { PROCESSING_TOO_LONG: "slow" }
		});
		expect(await auditOf(w, payout)).toEqual([auditOperatorCall(callOf(payout), "processing")]);
	});
	test("the claim excludes workers and other operators until its lease ends", async () => {
		const w = world();
		const payout = await yielded(w);
		await claimed$3(w, payout);
		await w.advance(60);
		expect(await w.payouts.claimDue(10, leaseSeconds$3)).toEqual([]);
		expect(await w.payoutDecisions.claim(callOf(payout, "cancel"), leaseSeconds$3)).toBe("leased");
		await w.advance(41);
		expect(await w.payouts.claimDue(10, leaseSeconds$3)).toMatchObject([{
			claim: { fencingToken: 3 },
			claimCount: 2
		}]);
	});
	test("a payout that its request or a worker has leased is not claimed, and nothing is audited", async () => {
		const w = world();
		const payout = await processing$2(w);
		const claim = () => w.payoutDecisions.claim(callOf(payout), leaseSeconds$3);
		expect(await claim()).toBe("leased");
		await w.advance(101);
		expect(await w.payouts.claimDue(10, leaseSeconds$3)).toHaveLength(1);
		expect(await claim()).toBe("leased");
		expect(await auditOf(w, payout)).toEqual([]);
		await w.advance(101);
		expect(await claim()).toMatchObject({ claim: { fencingToken: 3 } });
	});
	test("after the claim, neither the request nor an earlier worker settles; the operator does", async () => {
		const w = world();
		const payout = await processing$2(w);
		await w.advance(101);
		const [worker] = await w.payouts.claimDue(10, leaseSeconds$3);
		await w.advance(101);
		const operator = await claimed$3(w, payout);
		const paid = (claim) => w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), {
			...claim,
			timing: "late"
		}));
		expect(await paid()).toBe("stale");
		expect(await paid(worker)).toBe("stale");
		expect(await paid(operator)).toBe("committed");
	});
	test("exactly one of an operator and concurrent workers claims a due payout", async () => {
		const w = world();
		const payout = await yielded(w);
		await w.advance(60);
		const [byOperator, ...byWorkers] = await Promise.all([w.payoutDecisions.claim(callOf(payout), leaseSeconds$3), ...Array.from({ length: 4 }, () => w.payouts.claimDue(1, leaseSeconds$3))]);
		expect(byWorkers.flat()).toHaveLength(byOperator === "leased" ? 1 : 0);
	});
	test("an ended payout is not claimed; a status call about it is audited", async () => {
		const w = world();
		const payout = await yielded(w);
		await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)));
		for (const question of ["cancel", "status"]) {
			const result = await w.payoutDecisions.claim(callOf(payout, question), leaseSeconds$3);
			expect(result).toBe("ended");
		}
		expect(await auditOf(w, payout)).toEqual([auditOperatorCall(callOf(payout), "completed")]);
		await w.advance(1e3);
		expect(await w.payouts.claimDue(10, leaseSeconds$3)).toEqual([]);
	});
	test("refuses a payout that was never applied, and a wrong tenant", async () => {
		const w = world();
		const payout = await yielded(w);
		const other = await yielded(w);
		const insert = w.insertEndedCommit(await w.newQuote(payout.tenantId));
		await w.payouts.commit(insert);
		for (const wrong of [{ payoutId: insert.step.payout.id }, { tenantId: other.tenantId }]) {
			const call = {
				...callOf(payout),
				...wrong
			};
			await expect(w.payoutDecisions.claim(call, leaseSeconds$3)).rejects.toThrow("no payout");
		}
	});
}
// packages/contracts/src/stores/console-session/console-session-store.contract.ts
const [hash$1, other] = ["5e".repeat(32), "5f".repeat(32)];
const hours = (count) => new Date(someInstant.getTime() + count * 36e5);
const tokenHash = tokenHashOf("ben");
const session = {
	hash: hash$1,
	tokenHash,
	at: someInstant,
	expiresAt: hours(8)
};
/** The contract of a `ConsoleSessionStore`. The harness starts with `testOperatorTokens`. */
function consoleSessionStoreContract(name, open) {
	describe(`console session store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("a session acts with its token until it ends or expires", async () => {
			const { consoleSessions, operatorTokens } = world();
			const token = await operatorTokens.authenticate(tokenHash, someInstant);
			const opened = await consoleSessions.open(session);
			expect(opened).toEqual({
				token,
				tokenHash,
				expiresAt: hours(8)
			});
			expect(await consoleSessions.authenticate(hash$1, hours(7.9))).toEqual(opened);
			expect(await consoleSessions.authenticate(hash$1, hours(8))).toBeUndefined();
			expect(await consoleSessions.authenticate(other, someInstant)).toBeUndefined();
			expect(await consoleSessions.end(other, someInstant)).toBe(false);
			expect(await consoleSessions.end(hash$1, hours(1))).toBe(true);
			expect(await consoleSessions.end(hash$1, hours(2))).toBe(false);
			expect(await consoleSessions.authenticate(hash$1, hours(1))).toBeUndefined();
		});
		test("the audit log has the begin and the end of a session", async () => {
			const w = world();
			const opened = await w.consoleSessions.open(session);
			if (!opened) throw new Error("no session was opened");
			await w.consoleSessions.end(hash$1, hours(1));
			const query = {
				subject: opened.token.id,
				limit: 2
			};
			expect(await auditEntries(w.audit, query)).toEqual([signedOut(opened.token, hours(1)), signedIn(opened.token, someInstant, hours(8))]);
		});
		test("no session is opened without an active token", async () => {
			const { consoleSessions } = world();
			const unknown = {
				...session,
				tokenHash: tokenHashOf("nobody")
			};
			expect(await consoleSessions.open(unknown)).toBeUndefined();
			expect(await consoleSessions.authenticate(hash$1, someInstant)).toBeUndefined();
		});
		test("a revoked token ends its sessions", async () => {
			const { consoleSessions, operatorTokens } = world();
			const opened = await consoleSessions.open(session);
			await operatorTokens.revoke(opened?.token.id ?? "", tokenHash, hours(1));
			expect(await consoleSessions.authenticate(hash$1, hours(1))).toBeUndefined();
			expect(await consoleSessions.open({
				...session,
				hash: other
			})).toBeUndefined();
		});
		test("a session ends no later than its token, and lasts at most 12 hours", async () => {
			const { consoleSessions, operatorTokens } = world();
			const token = await operatorTokens.authenticate(tokenHash, someInstant);
			const end = token?.expiresAt.getTime() ?? 0;
			const [at, after] = [/* @__PURE__ */ new Date(end - 36e5), new Date(end + 36e5)];
			const opened = await consoleSessions.open({
				...session,
				at,
				expiresAt: after
			});
			expect(opened?.expiresAt).toEqual(token?.expiresAt);
			const long = {
				...session,
				hash: other,
				expiresAt: hours(12.1)
			};
			await expect(consoleSessions.open(long)).rejects.toThrow();
		});
		test("the next sign-in removes sessions that have expired, and no audit entry", async () => {
			const w = world();
			const { consoleSessions } = w;
			const opened = await consoleSessions.open(session);
			const next = {
				hash: other,
				tokenHash,
				at: hours(7.9),
				expiresAt: hours(9)
			};
			await consoleSessions.open(next);
			const again = {
				...session,
				at: hours(7.9),
				expiresAt: hours(10)
			};
			await expect(consoleSessions.open(again)).rejects.toThrow();
			expect(await consoleSessions.open({
				...again,
				at: hours(8)
			})).toBeDefined();
			expect(await consoleSessions.authenticate(other, hours(8))).toBeDefined();
			const query = {
				subject: opened?.token.id ?? "",
				limit: 5
			};
			const actions = (await auditEntries(w.audit, query)).map(({ action }) => action);
			expect(actions).toEqual([
				"console.sign_in",
				"console.sign_in",
				"console.sign_in"
			]);
		});
		test("two sessions cannot have one secret", async () => {
			const { consoleSessions } = world();
			await consoleSessions.open(session);
			await expect(consoleSessions.open(session)).rejects.toThrow();
		});
	});
}
// packages/contracts/src/stores/operator-token/operator-token-store.contract.ts
const day$2 = 864e5;
const days = (count) => new Date(someInstant.getTime() + count * day$2);
const author = {
	actor: "ben",
	at: someInstant
};
/** The contract of an `OperatorTokenStore`. The harness starts with `testOperatorTokens`. */
function operatorTokenStoreContract(name, open) {
	describe(`operator token store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("a token that only reads is active when it is issued, with an audit entry", async () => {
			const w = world();
			const made = make(w, "viewer", "new");
			expect(await w.operatorTokens.issue(made, tokenHashOf("ben"))).toBe("committed");
			expect(await w.operatorTokens.find(made.token.id)).toEqual(made.token);
			expect(await w.operatorTokens.authenticate(made.hash, days(1))).toEqual(made.token);
			expect(await auditOf$1(w, made)).toEqual([operatorTokenIssued(made.token, author, null)]);
			expect(await w.operatorTokens.find("opt_00000000000000000000000000")).toBeUndefined();
		});
		test("only an admin with an active token issues", async () => {
			const w = world();
			for (const person of [
				"ana",
				"vic",
				"aud",
				"nobody"
			]) {
				const made = make(w, "auditor", "new");
				expect(await w.operatorTokens.issue(made, tokenHashOf(person))).toBe("unauthorized");
				const proposed = make(w, "operator", "new");
				const proposal = proposalOf(w, proposed);
				const result = await w.operatorTokens.propose(proposed, proposal, tokenHashOf(person));
				expect(result).toBe("unauthorized");
				expect(await w.operatorTokens.find(made.token.id)).toBeUndefined();
				expect(await w.proposals.find(proposal.id)).toBeUndefined();
			}
		});
		test("a token that writes is never issued by one person", async () => {
			const w = world();
			for (const role of ["operator", "admin"]) await expect(w.operatorTokens.issue(make(w, role, role), tokenHashOf("ben"))).rejects.toThrow();
			const viewer = make(w, "viewer", "new");
			const proposal = proposalOf(w, make(w, "operator", "new"));
			await expect(w.operatorTokens.propose(viewer, proposal, tokenHashOf("ben"))).rejects.toThrow();
		});
		test("a token that writes is active from the approval of another admin on", async () => {
			const w = world();
			const made = make(w, "operator", "new");
			const proposal = proposalOf(w, made);
			await w.operatorTokens.propose(made, proposal, tokenHashOf("ben"));
			expect(await w.operatorTokens.find(made.token.id)).toEqual(made.token);
			expect(await auditOf$1(w, proposal)).toEqual([auditProposal(proposal)]);
			expect(await w.operatorTokens.authenticate(made.hash, days(1))).toBeUndefined();
			const approve = (by) => {
				const approval = {
					at: days(1),
					by
				};
				return w.proposals.commit({
					...proposal,
					status: "approved",
					approval
				}, tokenHashOf(by));
			};
			expect(await approve("ana")).toBe("unauthorized");
			await expect(approve("ben")).rejects.toThrow();
			expect(await w.operatorTokens.authenticate(made.hash, days(1))).toBeUndefined();
			expect(await approve("ada")).toBe("committed");
			const active = {
				...made.token,
				activatedAt: days(1)
			};
			expect(await w.operatorTokens.authenticate(made.hash, days(1))).toEqual(active);
			expect(await w.proposals.find(proposal.id)).toMatchObject({
				status: "executed",
				executedAt: days(1),
				approval: { by: "ada" }
			});
			const issued = operatorTokenIssued(active, {
				actor: "ben",
				at: days(1)
			}, proposal.id);
			expect(await auditOf$1(w, made)).toEqual([issued]);
		});
		test("two tokens never have one hash", async () => {
			const w = world();
			expect(await w.operatorTokens.issue(make(w, "viewer", "new"), tokenHashOf("ben"))).toBe("committed");
			const other = make(w, "viewer", "new");
			expect(await w.operatorTokens.issue(other, tokenHashOf("ben"))).toBe("hash_used");
			const proposed = make(w, "operator", "new");
			const proposal = proposalOf(w, proposed);
			expect(await w.operatorTokens.propose(proposed, proposal, tokenHashOf("ben"))).toBe("hash_used");
			expect(await w.proposals.find(proposal.id)).toBeUndefined();
		});
		test("a second token of a person is the same person", async () => {
			const w = world();
			const made = make(w, "admin", "second");
			const second = {
				...made,
				token: {
					...made.token,
					person: "ada"
				}
			};
			const first = proposalOf(w, second);
			await w.operatorTokens.propose(second, first, tokenHashOf("ben"));
			const approval = {
				at: days(1),
				by: "ada"
			};
			await w.proposals.commit({
				...first,
				status: "approved",
				approval
			}, tokenHashOf("ada"));
			const third = make(w, "operator", "third");
			const proposal = {
				...proposalOf(w, third),
				proposedBy: "ada"
			};
			const byAda = {
				...third,
				token: {
					...third.token,
					createdBy: "ada"
				}
			};
			await w.operatorTokens.propose(byAda, proposal, tokenHashOf("ada"));
			const own = {
				...proposal,
				status: "approved",
				approval
			};
			await expect(w.proposals.commit(own, second.hash)).rejects.toThrow();
			const invented = {
				...own,
				approval: {
					at: days(1),
					by: "eva"
				}
			};
			await expect(w.proposals.commit(invented, second.hash)).rejects.toThrow();
			expect(await w.proposals.find(proposal.id)).toEqual(proposal);
		});
		test("a revocation counts at once, once and for good", async () => {
			const w = world();
			const made = make(w, "viewer", "new");
			await w.operatorTokens.issue(made, tokenHashOf("ben"));
			const { id } = made.token;
			await expect(w.operatorTokens.revoke(id, tokenHashOf("eva"), days(1))).rejects.toThrow();
			expect(await w.operatorTokens.revoke(id, tokenHashOf("nobody"), days(1))).toBe("unauthorized");
			const results = await Promise.all([
				"new",
				"ben",
				"ada",
				"ben"
			].map((person) => w.operatorTokens.revoke(id, tokenHashOf(person), days(1))));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(await w.operatorTokens.authenticate(made.hash, days(0))).toBeUndefined();
			const { revocation } = await w.operatorTokens.find(id) ?? {};
			const revoked = {
				actor: revocation?.by ?? "",
				at: days(1)
			};
			expect((await auditOf$1(w, made))[0]).toEqual(operatorTokenRevoked({ id }, revoked));
			expect(await auditOf$1(w, made)).toHaveLength(2);
			expect(await w.operatorTokens.revoke(id, tokenHashOf("ben"), days(2))).toBe("stale");
		});
		test("a revoked or expired token neither proposes nor approves", async () => {
			const w = world();
			const made = make(w, "operator", "new");
			const proposal = proposalOf(w, made);
			await w.operatorTokens.propose(made, proposal, tokenHashOf("ben"));
			const { items } = await w.operatorTokens.list({ limit: 100 });
			const ada = items.find(({ person }) => person === "ada")?.id ?? "";
			expect(await w.operatorTokens.revoke(ada, tokenHashOf("ben"), days(1))).toBe("committed");
			const approval = {
				at: days(1),
				by: "ada"
			};
			const approved = {
				...proposal,
				status: "approved",
				approval
			};
			expect(await w.proposals.commit(approved, tokenHashOf("ada"))).toBe("unauthorized");
			expect(await w.proposals.find(proposal.id)).toEqual(proposal);
		});
		test("a token authenticates exactly until it expires", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(fc.integer({
				min: 1,
				max: 366 * day$2
			}), fc.integer({
				min: -2,
				max: 2
			}), async (lifeMs, offMs) => {
				const expiresAt = new Date(someInstant.getTime() + lifeMs);
				const made = make(w, "auditor", w.ids.next("opt", someInstant), expiresAt);
				await w.operatorTokens.issue(made, tokenHashOf("ben"));
				const at = new Date(expiresAt.getTime() + offMs);
				const found = await w.operatorTokens.authenticate(made.hash, at);
				expect(found?.id).toBe(offMs < 0 ? made.token.id : void 0);
			}), { numRuns: 20 });
		});
		test("lists newest first, in pages", async () => {
			const w = world();
			const { items } = await w.operatorTokens.list({ limit: 100 });
			const first = await w.operatorTokens.list({ limit: 3 });
			expect(first.items).toEqual(items.slice(0, 3));
			const rest = await w.operatorTokens.list({
				limit: 100,
				...first.next && { after: first.next }
			});
			expect([...first.items, ...rest.items]).toEqual(items);
			expect(rest.next).toBeNull();
		});
	});
}
function make(w, role, name, expiresAt = days(90)) {
	const hash = tokenHashOf(name);
	const made = {
		id: w.ids.next("opt", someInstant),
		createdAt: someInstant,
		createdBy: "ben",
		activatedAt: role === "operator" || role === "admin" ? null : someInstant
	};
	return {
		token: {
			...newOperatorToken({
				person: "carla",
				label: "computadora ñ",
				role,
				hash,
				expiresAt
			}, made),
			role
		},
		hash
	};
}
function proposalOf(w, { token }) {
	const { id: tokenId, person, label, role, fingerprint, expiresAt } = token;
	const details = {
		person,
		label,
		role,
		fingerprint,
		expiresAt
	};
	return {
		id: w.ids.next("prp", someInstant),
		tenantId: null,
		reason: "se incorpora",
		evidence: null,
		proposedBy: "ben",
		createdAt: someInstant,
		status: "open",
		action: {
			type: "issue_operator_token",
			tokenId,
			...details
		},
		expiresAt: days(3)
	};
}
const auditOf$1 = ({ audit }, of) => auditEntries(audit, {
	subject: "token" in of ? of.token.id : of.id,
	limit: 10
});
// packages/contracts/src/stores/overview/list-all-payouts.contract.ts
const msAfter = (ms) => new Date(someInstant.getTime() + ms);
function listAllPayoutsTests(open) {
	describe("payouts", () => {
		const world = useWorld(open, "each");
		test("lists the payouts of all tenants, newest first, by any filters", async () => {
			const w = world();
			const payouts = [
				...await onePerStatus$1(w, [
					7,
					1,
					5,
					3,
					9
				]),
				...await onePerStatus$1(w, [
					2,
					8,
					4,
					6,
					0
				]),
				...await onePerStatus$1(w, [
					3,
					3,
					3,
					3,
					3
				])
			];
			const { tenantId } = payouts[0];
			const status = (wanted) => (payout) => payout.status === wanted;
			const cases = [
				[{}, () => true],
				[{ tenantId }, (payout) => payout.tenantId === tenantId],
				...[
					"processing",
					"completed",
					"failed",
					"rejected",
					"cancelled"
				].flatMap((wanted) => [[{ status: wanted }, status(wanted)], [{
					status: wanted,
					tenantId
				}, (payout) => payout.status === wanted && payout.tenantId === tenantId]]),
				[{ errorCode: "QUOTE_EXPIRED" }, status("cancelled")],
				[{
					errorCode: "QUOTE_EXPIRED",
					status: "failed"
				}, () => false],
				[{
					errorCode: "PAYMENT_FAILED",
					tenantId
				}, (payout) => payout.status === "failed" && payout.tenantId === tenantId],
				[{ networkPaymentId: "np-1" }, status("completed")],
				[{
					networkPaymentId: "np-1",
					status: "processing"
				}, () => false],
				[{ networkPaymentId: "np-2" }, () => false],
				[{ networkReference: "nr-nothing" }, () => false],
				...payouts.flatMap((payout) => "networkRef" in payout ? [
					[{ networkReference: payout.networkRef }, ({ id }) => id === payout.id],
					[{
						networkReference: payout.networkRef,
						status: payout.status,
						tenantId: payout.tenantId
					}, ({ id }) => id === payout.id],
					[{
						networkReference: payout.networkRef,
						transactionId: payout.transactionId
					}, ({ id }) => id === payout.id]
				] : []),
				[{ transactionId: "order-3" }, ({ transactionId }) => transactionId === "order-3"],
				[{
					transactionId: "order-3",
					tenantId
				}, (payout) => payout.transactionId === "order-3" && payout.tenantId === tenantId],
				[{
					transactionId: "order-0",
					status: "processing"
				}, () => false],
				[{ isRaised: true }, () => false],
				[{
					from: msAfter(3),
					to: msAfter(5)
				}, ({ createdAt }) => createdAt >= msAfter(3) && createdAt <= msAfter(5)],
				[{
					status: "processing",
					to: msAfter(2)
				}, (payout) => payout.status === "processing" && payout.createdAt <= msAfter(2)]
			];
			for (const [filters, isWanted] of cases) await expectPages(payouts.filter(isWanted), async (query) => {
				const page = await w.overview.payouts({
					...query,
					...filters
				});
				return {
					...page,
					items: page.items.map(({ payout }) => payout)
				};
			});
		});
		test("shows the work on payouts in processing, and lists those with an alert", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(10n));
			const open = async () => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
			const [first, hanging] = [await open(), await open()];
			const raised = { NEEDS_OPERATOR: "the amount differs" };
			await w.payouts.yieldClaim(ownerClaim(hanging), {
				dueInSeconds: 60,
				raised,
				calls: []
			});
			const { items } = await w.overview.payouts({
				limit: 10,
				status: "processing"
			});
			expect(items.map(({ payout }) => payout)).toEqual(newestFirst$2([first, hanging]));
			expect(items.find(({ payout }) => payout.id === hanging.id)?.open).toMatchObject({
				claimCount: 0,
				unansweredCount: 0,
				raised
			});
			expect(items.find(({ payout }) => payout.id === first.id)?.open).toMatchObject({ raised: {} });
			const [alone, ...others] = (await w.overview.payouts({
				limit: 10,
				isRaised: true
			})).items;
			expect([alone?.payout, others]).toEqual([hanging, []]);
			const { transactionId } = first;
			const both = {
				limit: 10,
				isRaised: true,
				transactionId
			};
			expect((await w.overview.payouts(both)).items).toEqual([]);
		});
	});
}
/** A payout of each status, of a new tenant, created at these milliseconds. */
async function onePerStatus$1(w, ms) {
	const tenantId = await w.newWallet(usdt(1000n));
	const options = (n) => ({
		createdAt: msAfter(ms[n] ?? 0),
		transactionId: `order-${n}`
	});
	const applied = async (n) => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }), options(n));
	const ended = async (n, code) => {
		const write = w.insertEndedCommit(await w.newQuote(tenantId), {
			...options(n),
			code
		});
		await w.payouts.commit(write);
		return write.step.payout;
	};
	const settled = async (n, how) => {
		const payout = await applied(n);
		const write = w.settleCommit(payout, how === "paid" ? paidAnswer(payout) : { type: how });
		await w.payouts.commit(write);
		return write.step.payout;
	};
	return [
		await settled(0, "paid"),
		await settled(1, "refused_payment"),
		await ended(2, "QR_REFUSED"),
		await ended(3, "QUOTE_EXPIRED"),
		await applied(4)
	];
}
// packages/contracts/src/stores/overview/find-records.contract.ts
function findRecordsTests(open) {
	describe("other records", () => {
		const world = useWorld(open, "each");
		test("lists the wallets of all tenants, each with its newest entry", async () => {
			const w = world();
			const wallets = [];
			for (const amount of [
				0n,
				5n,
				7n
			]) {
				const tenantId = await w.newWallet(usdt(amount));
				const wallet = await w.wallets.find(tenantId);
				if (wallet) wallets.push(wallet);
			}
			await expectPages(wallets.map(({ id, createdAt, available, held }) => ({
				id,
				createdAt,
				available,
				held
			})), async (query) => {
				const page = await w.overview.wallets(query);
				const items = page.items.map(({ id, createdAt, available, held }) => ({
					id,
					createdAt,
					available,
					held
				}));
				return {
					...page,
					items
				};
			});
			const [empty, funded] = wallets;
			const ofTenant = async (tenantId = "") => (await w.overview.wallets({
				limit: 5,
				tenantId
			})).items;
			expect(await ofTenant(empty?.tenantId)).toMatchObject([{ newestEntryAt: null }]);
			expect((await ofTenant(funded?.tenantId))[0]?.newestEntryAt).toBeInstanceOf(Date);
			expect(await ofTenant(funded?.tenantId)).toMatchObject([{ id: funded?.id }]);
		});
		test("lists the endpoints of all tenants with their backlog", async () => {
			const w = world();
			const [one, other] = [await openSubscriber(w), await openSubscriber(w)];
			await expectPages([
				await one.newEndpoint(),
				await other.newEndpoint(),
				await one.newEndpoint()
			], async (query) => {
				const page = await w.overview.endpoints(query);
				return {
					...page,
					items: page.items.map(({ endpoint }) => endpoint)
				};
			});
			await one.emitEvents(3);
			const { tenantId } = one;
			const { items } = await w.overview.endpoints({
				limit: 9,
				tenantId
			});
			expect(items).toMatchObject([{
				endpoint: { tenantId },
				queued: 3,
				isSlow: false,
				failingSince: null
			}, {
				endpoint: { tenantId },
				queued: 3,
				isSlow: false,
				failingSince: null
			}]);
			for (const shown of items) {
				const { id } = shown.endpoint;
				expect(await w.overview.endpoint(id)).toEqual(shown);
				const deliveries = await w.deliveries.list(tenantId, id, { limit: 9 });
				expect(shown.oldestQueuedAt).toEqual(deliveries.items.at(-1)?.createdAt);
			}
			const [untouched] = (await w.overview.endpoints({
				limit: 1,
				tenantId: other.tenantId
			})).items;
			expect(untouched).toMatchObject({
				queued: 0,
				oldestQueuedAt: null
			});
			const claimed = await one.claimDue({ perEndpoint: 2 });
			for (const each of claimed.slice(0, 1)) await one.record(each, retryIn(6e4));
			const now = await w.overview.endpoints({
				limit: 9,
				tenantId
			});
			expect(now.items.map(({ oldestQueuedAt }) => oldestQueuedAt)).toEqual(items.map(({ oldestQueuedAt }) => oldestQueuedAt));
			expect(await w.overview.endpoint(w.ids.next("we", someInstant))).toBeUndefined();
			expect((await w.overview.endpoints({
				limit: 9,
				status: "paused"
			})).items).toEqual([]);
			expect((await w.overview.endpoints({
				limit: 9,
				status: "active"
			})).items).toHaveLength(3);
		});
		test("finds each record by what names it, of any tenant", async () => {
			const w = world();
			const subscriber = await openSubscriber(w);
			const { tenantId } = subscriber;
			const endpoint = await subscriber.newEndpoint();
			const resolution = await w.newResolution(tenantId);
			const quote = await w.newQuote(tenantId);
			const write = w.insertEndedCommit(quote, { transactionId: "order-1" });
			await w.payouts.commit(write);
			const { payout, event } = write.step;
			const wallet = await w.wallets.find(tenantId);
			const tenant = await w.tenants.find(tenantId);
			const found = async (text = "") => (await w.overview.find(text)).map(({ type, id, tenantId, label }) => [...[
				type,
				id,
				tenantId,
				label
			]]);
			const cases = [
				[
					"tenant",
					tenantId,
					tenant?.legalName
				],
				[
					"wallet",
					wallet?.id,
					tenantId
				],
				[
					"payout",
					payout.id,
					"order-1"
				],
				[
					"quote",
					quote.id,
					"fixed"
				],
				[
					"resolution",
					resolution.id,
					resolution.merchant.name
				],
				[
					"event",
					event?.id,
					"payout.cancelled"
				],
				[
					"webhook_endpoint",
					endpoint.id,
					endpoint.url
				]
			];
			for (const [type, id, label] of cases) expect(await found(id), type).toEqual([[
				type,
				id,
				tenantId,
				label
			]]);
			expect(await found("order-1")).toEqual([[
				"payout",
				payout.id,
				tenantId,
				"order-1"
			]]);
			const open = await w.newPayout(await w.newQuote(await w.newWallet(usdt(1000000000n))), { transactionId: "order-1" });
			expect(await found(open.id)).toEqual([[
				"payout",
				open.id,
				open.tenantId,
				"order-1"
			]]);
			expect((await found("order-1")).map(([, id]) => id)).toEqual([payout.id, open.id].toSorted());
			const ofFunds = {
				limit: 1,
				now: someInstant,
				tenantId: open.tenantId
			};
			const [proposal] = (await w.proposals.list(ofFunds)).items;
			expect(await found(proposal?.id)).toEqual([[
				"proposal",
				proposal?.id,
				open.tenantId,
				"adjust_wallet"
			]]);
			const [delivery] = (await w.deliveries.list(tenantId, endpoint.id, { limit: 1 })).items;
			const id = delivery ? deliveryId(endpoint.id, delivery.eventId) : "";
			expect(await found(id)).toEqual([[
				"delivery",
				id,
				tenantId,
				"payout.cancelled pending"
			]]);
			expect(await found("networkRef" in open ? open.networkRef : "")).toEqual([[
				"payout",
				open.id,
				open.tenantId,
				"order-1"
			]]);
			const difference = foundDifference(w.ids, { tenantId });
			await w.differences.record([difference], someInstant);
			expect(await found(difference.id)).toEqual([[
				"difference",
				difference.id,
				tenantId,
				`${difference.check} ${difference.kind}`
			]]);
			const [operator] = testOperatorTokens();
			const token = operator?.token;
			expect(await found(token?.id)).toEqual([[
				"operator_token",
				token?.id,
				null,
				token?.role
			]]);
			for (const text of [
				"",
				"order",
				"po_",
				"x".repeat(200),
				payout.id.slice(0, -1)
			]) expect(await found(text)).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/overview/list-all-events.contract.ts
/** The items of all pages, for several limits; a page may be shorter than its limit. */
async function expectAll(rows, list) {
	for (const limit of [
		1,
		2,
		3,
		rows.length + 1
	]) expect((await allPages(list, limit)).flat()).toEqual(rows);
}
function listAllEventsTests(open) {
	describe("events and deliveries", () => {
		const world = useWorld(open, "each");
		test("lists the events of all tenants by type, tenant and subject, and reads one", async () => {
			const w = world();
			const [one, other] = [await openSubscriber(w), await openSubscriber(w)];
			const deposits = await depositBuilders(w);
			await one.emitEvents(2);
			await deposits.credited();
			await other.emitEvents(2);
			await other.emitEvent("payout.failed");
			await (await buildersOfAnotherTenant(w, deposits)).inReview();
			await one.emitEvent("payout.failed");
			const tenants = (await w.tenants.list({ limit: 100 })).items;
			const events = [];
			for (const { id } of tenants) events.push(...(await w.events.list(id, { limit: 100 })).items);
			const ordered = newestFirst$2(events.map((event) => ({
				id: event.id,
				createdAt: event.recordedAt,
				event
			}))).map(({ event }) => event);
			const credit = ordered.find(({ type }) => type === "deposit.credited");
			const [tenantId, subjectId] = [credit?.tenantId ?? "", credit?.subjectId ?? ""];
			const cases = [
				[{}, () => true],
				[{ tenantId }, (event) => event.tenantId === tenantId],
				[{ subjectId }, (event) => event.subjectId === subjectId],
				[{
					subjectId,
					type: "deposit.pending"
				}, ({ type, subjectId: of }) => type === "deposit.pending" && of === subjectId],
				[{
					subjectId,
					tenantId: one.tenantId
				}, () => false],
				...[
					"payout.completed",
					"payout.failed",
					"payout.cancelled",
					"deposit.pending",
					"deposit.credited",
					"deposit.in_review"
				].map((type) => [{ type }, (event) => event.type === type]),
				[{ to: credit?.recordedAt ?? /* @__PURE__ */ new Date(0) }, ({ recordedAt }) => recordedAt <= (credit?.recordedAt ?? /* @__PURE__ */ new Date(0))],
				[{
					from: credit?.recordedAt ?? /* @__PURE__ */ new Date(0),
					type: "payout.cancelled"
				}, (event) => event.recordedAt >= (credit?.recordedAt ?? 0) && event.type === "payout.cancelled"]
			];
			expect(ordered.length).toBeGreaterThan(8);
			for (const [filters, isWanted] of cases) await expectAll(ordered.filter(isWanted), (query) => w.overview.events({
				...query,
				...filters
			}));
			expect(await w.overview.event(credit?.id ?? "")).toEqual(credit);
			expect(await w.overview.event("019aa1f4-54f0-7000-8000-00000000000b")).toBeUndefined();
		});
		test("lists deliveries of a tenant, an endpoint and an event in one order", async () => {
			const w = world();
			const [one, other] = [await openSubscriber(w), await openSubscriber(w)];
			const endpoints = [
				await one.newEndpoint(),
				await one.newEndpoint(),
				await one.newEndpoint()
			];
			const [foreign] = [await other.newEndpoint()];
			const [eventId = ""] = await one.emitEvents(3);
			await other.emitEvents(2);
			await one.record((await one.claimDue({ limit: 1 }))[0] ?? await one.claimOne());
			const { tenantId } = one;
			const all = [];
			for (const { id } of endpoints) all.push(...(await w.deliveries.list(tenantId, id, { limit: 10 })).items);
			const place = (delivery) => `${delivery.eventId} ${delivery.endpointId}`;
			const ordered = all.toSorted((a, b) => place(a) > place(b) ? -1 : 1);
			const list = listAllDeliveries(w);
			const endpointId = endpoints[1]?.id ?? "";
			const cases = [
				[{ of: { tenantId } }, () => true],
				[{
					of: { tenantId },
					status: "pending"
				}, ({ status }) => status === "pending"],
				[{
					of: { tenantId },
					status: "delivered"
				}, ({ status }) => status === "delivered"],
				[{ of: { endpointId } }, (delivery) => delivery.endpointId === endpointId],
				[{ of: {
					endpointId: foreign.id,
					tenantId
				} }, () => false],
				[{ of: { eventId } }, (delivery) => delivery.eventId === eventId],
				[{ of: {
					eventId,
					tenantId: other.tenantId
				} }, () => false],
				[{ of: {
					eventId,
					endpointId
				} }, (delivery) => delivery.eventId === eventId && delivery.endpointId === endpointId]
			];
			expect(ordered).toHaveLength(9);
			for (const [filters, isWanted] of cases) await expectAll(ordered.filter(isWanted), (query) => list({
				...query,
				...filters
			}));
			const [delivery] = ordered;
			const id = delivery ? deliveryId(delivery.endpointId, delivery.eventId) : "";
			expect(await w.overview.delivery(id)).toEqual(delivery);
			expect(await w.overview.delivery("dlv_01K6HZ8M00000000000000000A")).toBeUndefined();
			expect(await w.overview.endpoint(endpointId)).toMatchObject({ endpoint: { id: endpointId } });
			expect(await w.overview.endpoint("we_01K6HZ8M00000000000000000A")).toBeUndefined();
		});
		test("lists the faucet sends of all tenants", async () => {
			const w = world();
			const tenants = [await w.newWallet(usdt(0n)), await w.newWallet(usdt(0n))];
			for (const tenantId of [...tenants, ...tenants]) await commitSend$1(w, tenantId);
			const { items: sends } = await w.overview.faucetSends({ limit: 10 });
			const byId = sends.toSorted((a, b) => a.id > b.id ? -1 : 1);
			const [first] = byId;
			if (first === void 0) throw new Error("there are four sends");
			expect(byId).toHaveLength(4);
			await w.faucet.settle({
				tenantId: first.tenantId,
				sendId: first.id,
				fencingToken: 1
			}, "confirmed");
			const confirmed = {
				...first,
				status: "confirmed"
			};
			const all = [confirmed, ...byId.slice(1)];
			const list = (filters) => async (query) => w.overview.faucetSends({
				...query,
				...filters
			});
			await expectAll(all, list({}));
			await expectAll(all.filter(({ tenantId }) => tenantId === first.tenantId), list({ tenantId: first.tenantId }));
			await expectAll([confirmed], list({ status: "confirmed" }));
			await expectAll([confirmed], list({ txHash: first.transfer.txHash }));
			await expectAll([], list({
				txHash: first.transfer.txHash,
				status: "failed"
			}));
			await expectAll(all, list({ address: first.address }));
			await expectAll([], list({ address: "nothing" }));
		});
	});
}
// packages/contracts/src/stores/overview/payout-activity.contract.ts
const minutesAfter = (count) => new Date(someInstant.getTime() + count * 6e4);
function payoutActivityTests(open) {
	describe("payout activity", () => {
		const world = useWorld(open, "each");
		test("counts the ended payouts of all tenants by outcome and step of their creation", async () => {
			const w = world();
			const tenants = [await w.newWallet(usdt(100n)), await w.newWallet(usdt(100n))];
			const settle = async (minute, how, tenant = 0) => {
				const quote = await w.newQuote(tenants[tenant] ?? "", { source: usdt(1n) });
				const payout = await w.newPayout(quote, { createdAt: minutesAfter(minute) });
				const answer = how === "paid" ? paidAnswer(payout) : { type: how };
				await w.payouts.commit(w.settleCommit(payout, answer));
			};
			await settle(1, "paid");
			await settle(2, "refused_payment", 1);
			await settle(9, "paid", 1);
			await settle(61, "paid");
			await w.newPayout(await w.newQuote(tenants[0] ?? "", { source: usdt(1n) }));
			const none = {
				completed: 0,
				failed: 0,
				rejected: 0,
				cancelled: 0
			};
			const read = async (from, stepSeconds) => {
				const { steps, completeFrom } = await w.overview.activity({
					from,
					stepSeconds
				});
				expect(completeFrom).toEqual(from);
				for (const { medianMs, p95Ms } of steps) expect(p95Ms).toBeGreaterThanOrEqual(medianMs);
				return steps.map(({ at, outcomes }) => ({
					at,
					outcomes
				}));
			};
			const hour = 3600;
			const startOf = (minute) => {
				const ms = minutesAfter(minute).getTime();
				return /* @__PURE__ */ new Date(ms - ms % (hour * 1e3));
			};
			const all = await read(minutesAfter(0), hour);
			const total = (outcome) => all.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0);
			expect([
				total("completed"),
				total("failed"),
				total("rejected")
			]).toEqual([
				3,
				1,
				0
			]);
			expect(all.map(({ at }) => at)).toEqual([...new Set([
				1,
				2,
				9,
				61
			].map((minute) => startOf(minute).getTime()))].map((ms) => new Date(ms)));
			expect(await read(minutesAfter(60), hour)).toEqual([{
				at: startOf(61),
				outcomes: {
					...none,
					completed: 1
				}
			}]);
			expect(await read(minutesAfter(62), hour)).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/overview/read-payout-record.contract.ts
function readPayoutRecordTests(open) {
	describe("payout", () => {
		const world = useWorld(open, "each");
		test("a payout in processing has its hold, and no event", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(10n));
			const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(3n) }));
			const record = await w.overview.payout(payout.id);
			expect(record).toMatchObject({
				payout,
				eventId: null,
				open: {
					claimCount: 0,
					raised: {}
				}
			});
			const hold = {
				type: "hold",
				amount: usdt(3n),
				availableAfter: usdt(7n),
				heldAfter: usdt(3n)
			};
			expect(record?.postings).toMatchObject([hold]);
			expect(record?.postings[0]?.at).toBeInstanceOf(Date);
		});
		test.each(["capture", "release"])("a settled payout has its %s", async (type) => {
			const w = world();
			const tenantId = await w.newWallet(usdt(10n));
			const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(3n) }));
			const answer = type === "capture" ? paidAnswer(payout) : { type: "refused_payment" };
			const write = w.settleCommit(payout, answer);
			await w.payouts.commit(write);
			const record = await w.overview.payout(payout.id);
			const availableAfter = usdt(type === "capture" ? 7n : 10n);
			const end = {
				type,
				amount: usdt(3n),
				availableAfter,
				heldAfter: usdt(0n),
				at: laterInstant
			};
			expect(record?.postings).toMatchObject([{ type: "hold" }, end]);
			expect(record).toMatchObject({
				payout: write.step.payout,
				open: null,
				eventId: write.step.event?.id
			});
		});
		test("a payout that was never applied has no posting", async () => {
			const w = world();
			const write = w.insertEndedCommit(await w.newQuote(await w.newWallet(usdt(0n))));
			await w.payouts.commit(write);
			expect(await w.overview.payout(write.step.payout.id)).toEqual({
				payout: write.step.payout,
				open: null,
				postings: [],
				eventId: write.step.event?.id
			});
			expect(await w.overview.payout("po_00000000000000000000000000")).toBeUndefined();
		});
		test("an event’s deliveries are those of all endpoints of its tenant", async () => {
			const subscriber = await openSubscriber(world());
			const endpoints = [await subscriber.newEndpoint(), await subscriber.newEndpoint()];
			const [eventId = "", otherId = ""] = await subscriber.emitEvents(2);
			const { overview, deliveries } = world();
			const { tenantId } = subscriber;
			const all = async (event) => Promise.all(endpoints.map(({ id }) => deliveries.get(tenantId, {
				endpointId: id,
				eventId: event
			})));
			const byEndpoint = (rows) => rows.toSorted((a, b) => (a?.endpointId ?? "") < (b?.endpointId ?? "") ? -1 : 1);
			for (const step of [
				"pending",
				"leased",
				"recorded"
			]) {
				if (step === "leased") await subscriber.claimDue({ limit: 1 });
				if (step === "recorded") {
					const [next] = await subscriber.claimDue({ limit: 1 });
					if (next) await subscriber.record(next, { attempt: failedAttempt });
				}
				for (const event of [eventId, otherId]) expect(byEndpoint(await overview.deliveriesOf(tenantId, event))).toEqual(byEndpoint(await all(event)));
			}
			const another = await openSubscriber(world());
			expect(await overview.deliveriesOf(another.tenantId, eventId)).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/overview/overview-store.contract.ts
/** The contract of an `OverviewStore`. */
function overviewStoreContract(name, open) {
	describe(`overview store in ${name}`, () => {
		listAllPayoutsTests(open);
		payoutActivityTests(open);
		readPayoutRecordTests(open);
		findRecordsTests(open);
		listAllEventsTests(open);
	});
}
// packages/contracts/src/stores/payout/apply-payout.contract.ts
function applyPayoutTests(open) {
	describe("apply", () => {
		const world = useWorld(open);
		test("drops a write whose deadline has passed; its transaction_id stays free", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(10n));
			const write = w.applyCommit(await w.newQuote(tenantId, { source: usdt(4n) }));
			const { id, transactionId } = write.step.payout;
			const late = {
				...write,
				deadline: { leftMs: () => 0 }
			};
			await expect(w.payouts.commit(late)).rejects.toBeInstanceOf(Unavailable);
			expect(await w.payouts.find(tenantId, transactionId)).toBeUndefined();
			expect(await w.wallets.find(tenantId)).toMatchObject({ held: usdt(0n) });
			const inTime = {
				...write,
				deadline: { leftMs: () => 1 }
			};
			expect(await w.payouts.commit(inTime)).toBe("committed");
			expect(await w.payouts.get(tenantId, id)).toBeDefined();
		});
		test("inserts the payout, uses its quote and holds its price in one commit", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId, { source: usdt(30n) });
			const write = w.applyCommit(quote, { fingerprint: "v1:abc" });
			const { payout } = write.step;
			expect(await w.payouts.commit(write)).toBe("committed");
			expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout);
			expect(await w.payouts.find(tenantId, payout.transactionId)).toEqual({
				payout,
				fingerprint: "v1:abc",
				leased: true,
				ageMs: expect.any(Number)
			});
			expect(await w.quotes.find(tenantId, quote.id)).toEqual({
				quote,
				status: "used",
				payoutId: payout.id
			});
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 70n,
				held: 30n
			});
			expect((await w.wallets.totals(tenantId)).held).toEqual(usdt(30n));
			expect(await eventsAbout(w, tenantId, payout.id)).toEqual([]);
		});
		test("repeating an apply is stale and holds nothing more", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const write = w.applyCommit(await w.newQuote(tenantId, { source: usdt(30n) }));
			expect(await w.payouts.commit(write)).toBe("committed");
			expect(await w.payouts.commit(write)).toBe("stale");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 70n,
				held: 30n
			});
		});
		test("holds the last micro-USDT of a wallet, but not one more", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(30n));
			const first = w.applyCommit(await w.newQuote(tenantId, { source: usdt(30n) }));
			const second = w.applyCommit(await w.newQuote(tenantId, { source: usdt(1n) }));
			expect(await w.payouts.commit(first)).toBe("committed");
			expect(await w.payouts.commit(second)).toBe("insufficient_balance");
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 0n,
				held: 30n
			});
		});
		test("holds the largest ledger amount exactly", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(MAX_MINOR));
			const quote = await w.newQuote(tenantId, { source: usdt(MAX_MINOR) });
			const payout = await w.newPayout(quote);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 0n,
				held: MAX_MINOR
			});
			expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout);
		});
		test("two tenants may use the same transaction_id", async () => {
			const w = world();
			const options = { transactionId: "invoice-1" };
			for (const tenantId of [await w.newWallet(usdt(50n)), await w.newWallet(usdt(50n))]) {
				const quote = await w.newQuote(tenantId, { source: usdt(20n) });
				const payout = await w.newPayout(quote, options);
				expect((await w.payouts.find(tenantId, "invoice-1"))?.payout).toEqual(payout);
			}
		});
	});
	describe("a refused apply", () => {
		refusalsContract(open);
	});
}
/** Each test breaks the later guards too, so it also proves the order of the guards. */
function refusalsContract(open) {
	const world = useWorld(open, "each");
	const tooMuch = { source: usdt(1000n) };
	test("a used transaction_id is stale, even with a used and expired quote", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const quote = await w.newQuote(tenantId, {
			source: usdt(60n),
			lifeSeconds: 60
		});
		await w.newPayout(quote, { transactionId: "taken" });
		await w.advance(120);
		const before = await snapshot(w, tenantId);
		expect(await w.payouts.commit(w.applyCommit(quote, { transactionId: "taken" }))).toBe("stale");
		expect(await snapshot(w, tenantId)).toEqual(before);
	});
	test("a used quote is quote_used, even when it has expired and the balance is too low", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const quote = await w.newQuote(tenantId, {
			source: usdt(60n),
			lifeSeconds: 60
		});
		const user = await w.newPayout(quote);
		await w.advance(120);
		const before = await snapshot(w, tenantId);
		const write = w.applyCommit(quote, { transactionId: "rival" });
		expect(await w.payouts.commit(write)).toBe("quote_used");
		expect(await snapshot(w, tenantId)).toEqual(before);
		expect(await w.payouts.find(tenantId, "rival")).toBeUndefined();
		expect(await w.payouts.get(tenantId, write.step.payout.id)).toBeUndefined();
		expect((await w.quotes.find(tenantId, quote.id))?.payoutId).toBe(user.id);
	});
	test("an expired quote is quote_expired, even when the balance is too low", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const quote = await w.newQuote(tenantId, {
			...tooMuch,
			lifeSeconds: 60
		});
		await w.advance(60);
		const before = await snapshot(w, tenantId);
		const write = w.applyCommit(quote, { transactionId: "late" });
		expect(await w.payouts.commit(write)).toBe("quote_expired");
		expect(await snapshot(w, tenantId)).toEqual(before);
		expect(await w.payouts.find(tenantId, "late")).toBeUndefined();
		const view = {
			quote,
			status: "expired",
			payoutId: null
		};
		expect(await w.quotes.find(tenantId, quote.id)).toEqual(view);
	});
	test("applies a quote until it expires", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const quotes = [await w.newQuote(tenantId, {
			source: usdt(10n),
			lifeSeconds: 60
		}), await w.newQuote(tenantId, {
			source: usdt(10n),
			lifeSeconds: 60
		})];
		await w.advance(59);
		expect(await w.payouts.commit(w.applyCommit(quotes[0]))).toBe("committed");
		await w.advance(1);
		expect(await w.payouts.commit(w.applyCommit(quotes[1]))).toBe("quote_expired");
	});
	test("a price above the balance is insufficient_balance; the quote stays open", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const quote = await w.newQuote(tenantId, tooMuch);
		const before = await snapshot(w, tenantId);
		const write = w.applyCommit(quote, { transactionId: "poor" });
		expect(await w.payouts.commit(write)).toBe("insufficient_balance");
		expect(await snapshot(w, tenantId)).toEqual(before);
		expect(await w.payouts.find(tenantId, "poor")).toBeUndefined();
		const view = {
			quote,
			status: "open",
			payoutId: null
		};
		expect(await w.quotes.find(tenantId, quote.id)).toEqual(view);
		expect(await w.payouts.claimDue(10, 15)).toEqual([]);
	});
	test("a refused transaction_id can be applied later", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		const options = { transactionId: "again" };
		const refused = w.applyCommit(await w.newQuote(tenantId, tooMuch), options);
		expect(await w.payouts.commit(refused)).toBe("insufficient_balance");
		const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(100n) }), options);
		expect((await w.payouts.find(tenantId, "again"))?.payout).toEqual(payout);
	});
}
/** All rows of a tenant that a refused write could have changed. */
async function snapshot(w, tenantId) {
	const payouts = await w.payouts.list(tenantId, { limit: 100 });
	const ids = payouts.items.map((payout) => payout.id);
	return {
		payouts,
		events: await Promise.all(ids.map((id) => eventsAbout(w, tenantId, id))),
		wallet: await w.wallets.find(tenantId),
		totals: await w.wallets.totals(tenantId)
	};
}
// packages/contracts/src/stores/payout/claim-payout.contract.ts
/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds$2 = 100;
const dueIn = (dueInSeconds) => ({
	dueInSeconds,
	raised: {},
	calls: []
});
function claimPayoutTests(open) {
	describe("the lease of the owner", () => {
		ownerContract(open);
	});
	describe("claims of workers", () => {
		workerContract(open);
	});
}
async function owned(w) {
	const tenantId = await w.newWallet(usdt(100n));
	return w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds: leaseSeconds$2 });
}
function ownerContract(open) {
	const world = useWorld(open, "each");
	const isLeased = async (w, { tenantId, transactionId }) => (await w.payouts.find(tenantId, transactionId))?.leased;
	test("a worker cannot claim a payout during its owner’s lease", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(90);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
		expect(await isLeased(w, payout)).toBe(true);
	});
	test("a payout is due when its owner’s lease ends", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(101);
		expect(await isLeased(w, payout)).toBe(false);
		const { tenantId, id: payoutId } = payout;
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([{
			payout,
			claim: {
				tenantId,
				payoutId,
				fencingToken: 2
			},
			claimCount: 1,
			unansweredCount: 0,
			openSeconds: expect.closeTo(101, 0),
			raised: {}
		}]);
		expect(await isLeased(w, payout)).toBe(true);
	});
	test("renew extends the lease from now", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(90);
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(true);
		await w.advance(90);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
		expect(await isLeased(w, payout)).toBe(true);
		await w.advance(11);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toHaveLength(1);
	});
	test("an expired lease can be renewed until a worker claims the payout", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(200);
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(true);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
	});
	test("yieldClaim ends the lease at once; the payout is due after `dueInSeconds`", async () => {
		const w = world();
		const payout = await owned(w);
		expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(50))).toBe(true);
		expect(await isLeased(w, payout)).toBe(false);
		await w.advance(40);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
		await w.advance(11);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toHaveLength(1);
	});
	test("after a worker has claimed the payout, the owner can neither renew, yield nor settle", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(101);
		const [claimed] = await w.payouts.claimDue(10, leaseSeconds$2);
		expect(await w.payouts.renew(ownerClaim(payout), 1e3)).toBe(false);
		expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false);
		expect(await w.payouts.commit(w.settleCommit(payout, { type: "cancelled" }))).toBe("stale");
		expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(payout);
		const write = w.settleCommit(payout, paidAnswer(payout), {
			...claimed,
			timing: "late"
		});
		expect(await w.payouts.commit(write)).toBe("committed");
	});
	test("a settled payout has no lease and is never due", async () => {
		const w = world();
		const payout = await owned(w);
		expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe("committed");
		expect(await isLeased(w, payout)).toBe(false);
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(false);
		expect(await w.payouts.yieldClaim(ownerClaim(payout), dueIn(0))).toBe(false);
		await w.payouts.wake(payout.id);
		await w.advance(1e3);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
	});
	test("a claim with another tenant’s id neither renews nor yields", async () => {
		const w = world();
		const payout = await owned(w);
		const otherTenant = await owned(w);
		const claim = {
			...ownerClaim(payout),
			tenantId: otherTenant.tenantId
		};
		expect(await w.payouts.renew(claim, 1e3)).toBe(false);
		expect(await w.payouts.yieldClaim(claim, dueIn(0))).toBe(false);
		expect(await isLeased(w, payout)).toBe(true);
	});
}
function workerContract(open) {
	const world = useWorld(open, "each");
	/** Yielded payouts that become due ten seconds apart. */
	async function released(w, count) {
		const payouts = [];
		for (let i = 0; i < count; i++) {
			const payout = await owned(w);
			await w.payouts.yieldClaim(ownerClaim(payout), dueIn(10 * (i + 1)));
			payouts.push(payout);
		}
		return payouts;
	}
	const idsOf = (payouts) => new Set(payouts.map((payout) => payout?.id));
	const claimedIds = (claimed) => idsOf(claimed.map(({ payout }) => payout));
	async function claimOne(w) {
		const [claimed] = await w.payouts.claimDue(1, leaseSeconds$2);
		if (claimed === void 0) throw new Error("no payout is due");
		return claimed;
	}
	test("claims the oldest due payouts first, at most `limit`", async () => {
		const w = world();
		const [first, second, third] = await released(w, 3);
		await w.advance(60);
		expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds$2))).toEqual(idsOf([first, second]));
		expect(claimedIds(await w.payouts.claimDue(2, leaseSeconds$2))).toEqual(idsOf([third]));
		expect(await w.payouts.claimDue(2, leaseSeconds$2)).toEqual([]);
	});
	test("claims at most `limit` of the payouts of one tenant whose requests have died", async () => {
		const w = world();
		const tenantId = await w.newWallet(usdt(100n));
		for (let i = 0; i < 3; i++) await w.newPayout(await w.newQuote(tenantId, { source: usdt(30n) }), { leaseSeconds: leaseSeconds$2 });
		await w.advance(101);
		expect(await w.payouts.claimDue(2, leaseSeconds$2)).toHaveLength(2);
		expect(await w.payouts.claimDue(2, leaseSeconds$2)).toHaveLength(1);
	});
	test("does not claim payouts that are not due", async () => {
		const w = world();
		const [first] = await released(w, 3);
		await w.advance(15);
		expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds$2))).toEqual(idsOf([first]));
	});
	test("concurrent workers claim each payout exactly once", async () => {
		const w = world();
		const payouts = await released(w, 6);
		await w.advance(100);
		const claimed = [...(await Promise.all(Array.from({ length: 12 }, () => w.payouts.claimDue(4, leaseSeconds$2)))).flat(), ...await w.payouts.claimDue(10, leaseSeconds$2)];
		expect(claimed).toHaveLength(payouts.length);
		expect(claimedIds(claimed)).toEqual(idsOf(payouts));
		for (const { claim } of claimed) expect(claim.fencingToken).toBe(2);
	});
	test("each claim raises the fencing token and the claim count", async () => {
		const w = world();
		await owned(w);
		for (const round of [
			1,
			2,
			3
		]) {
			await w.advance(101);
			expect(await claimOne(w)).toMatchObject({
				claimCount: round,
				claim: { fencingToken: round + 1 }
			});
		}
	});
	test("a yielded payout keeps its claim count, and older claims stay invalid", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(101);
		const first = await claimOne(w);
		expect(await w.payouts.yieldClaim(first.claim, dueIn(20))).toBe(true);
		await w.advance(21);
		const second = await claimOne(w);
		expect(second).toMatchObject({
			claimCount: 2,
			claim: { fencingToken: 3 }
		});
		expect(await w.payouts.renew(first.claim, leaseSeconds$2)).toBe(false);
		expect(await w.payouts.yieldClaim(first.claim, dueIn(0))).toBe(false);
		expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), first))).toBe("stale");
		expect(await w.payouts.renew(second.claim, leaseSeconds$2)).toBe(true);
		expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout), second))).toBe("committed");
	});
	test("a claim that was yielded cannot be renewed, by its owner or a worker", async () => {
		const w = world();
		const payout = await owned(w);
		await w.payouts.yieldClaim(ownerClaim(payout), dueIn(10));
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(false);
		await w.advance(11);
		const { claim } = await claimOne(w);
		await w.payouts.yieldClaim(claim, dueIn(10));
		expect(await w.payouts.renew(claim, leaseSeconds$2)).toBe(false);
		await w.advance(11);
		expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds$2))).toEqual(idsOf([payout]));
	});
	test("wake makes an unleased payout due at once", async () => {
		const w = world();
		const payout = await owned(w);
		await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1e3));
		await w.payouts.wake(payout.id);
		expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds$2))).toEqual(idsOf([payout]));
	});
	test("wake during a lease makes the payout due when the claim is yielded, once", async () => {
		const w = world();
		const payout = await owned(w);
		await w.payouts.wake(payout.id);
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(true);
		await w.payouts.yieldClaim(ownerClaim(payout), dueIn(1e3));
		const [claimed] = await w.payouts.claimDue(10, leaseSeconds$2);
		expect(claimed?.payout.id).toBe(payout.id);
		if (claimed) await w.payouts.yieldClaim(claimed.claim, dueIn(1e3));
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
	});
	test("wake during a worker’s claim makes the payout due when the claim is yielded", async () => {
		const w = world();
		const payout = await owned(w);
		await w.advance(101);
		const { claim } = await claimOne(w);
		await w.payouts.wake(payout.id);
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
		await w.payouts.yieldClaim(claim, dueIn(1e3));
		expect(claimedIds(await w.payouts.claimDue(10, leaseSeconds$2))).toEqual(idsOf([payout]));
	});
	test("wake does not end a lease, and ignores an unknown payout", async () => {
		const w = world();
		const payout = await owned(w);
		await w.payouts.wake(payout.id);
		await w.payouts.wake("po_00000000000000000000000000");
		expect(await w.payouts.claimDue(10, leaseSeconds$2)).toEqual([]);
		expect(await w.payouts.renew(ownerClaim(payout), leaseSeconds$2)).toBe(true);
	});
}
// packages/contracts/src/stores/payout/concurrent-payouts.contract.ts
function concurrentPayoutsTests(open, runs) {
	describe("concurrent commits", () => {
		const world = useWorld(open);
		test("a wallet with funds for 10 payouts holds exactly 10 of 150 concurrent ones", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(109n));
			const quotes = await quotesOf(w, tenantId, Array.from({ length: 150 }, () => 10n));
			const results = await applyAll(w, quotes);
			expect(results.filter((result) => result === "committed")).toHaveLength(10);
			expect(results.filter((result) => result === "insufficient_balance")).toHaveLength(140);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 9n,
				held: 100n
			});
		});
		test("a wallet of 10 refuses only the 20 of concurrent payouts of 20, 5 and 5", async () => {
			const w = world();
			for (const prices of [
				[
					20n,
					5n,
					5n
				],
				[
					5n,
					20n,
					5n
				],
				[
					5n,
					5n,
					20n
				]
			]) {
				const tenantId = await w.newWallet(usdt(10n));
				const results = await applyAll(w, await quotesOf(w, tenantId, prices));
				expect(results).toEqual(prices.map((price) => price === 20n ? "insufficient_balance" : "committed"));
				expect(await balanceOf(w, tenantId)).toEqual({
					available: 0n,
					held: 10n
				});
			}
		});
		test("exactly one of 20 concurrent payouts uses a quote", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId, { source: usdt(10n) });
			const results = await applyAll(w, Array.from({ length: 20 }, () => quote));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "quote_used")).toHaveLength(19);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 90n,
				held: 10n
			});
		});
		test("exactly one of 20 concurrent payouts with one transaction_id commits, and uses its quote", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(1000n));
			const quotes = await quotesOf(w, tenantId, Array.from({ length: 20 }, () => 10n));
			const results = await applyAll(w, quotes, "the-same");
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "stale")).toHaveLength(19);
			const views = await Promise.all(quotes.map(({ id }) => w.quotes.find(tenantId, id)));
			expect(views.filter((view) => view?.status === "used")).toHaveLength(1);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 990n,
				held: 10n
			});
		});
		test("random concurrent commits conserve money; a transaction_id and a quote have at most one payout", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyRace$1, (race) => expectSound(w, race)), { numRuns: runs });
		});
	});
}
/** Few ids, few quotes and little money, so that most requests conflict. */
const anyRace$1 = fc.record({
	funds: fc.bigInt({
		min: 0n,
		max: 40n
	}),
	prices: fc.array(fc.bigInt({
		min: 1n,
		max: 20n
	}), {
		minLength: 4,
		maxLength: 4
	}),
	requests: fc.array(fc.record({
		transaction: fc.nat(4),
		quote: fc.nat(3),
		settledBy: fc.array(fc.nat(2), { maxLength: 3 })
	}), {
		minLength: 1,
		maxLength: 12
	})
});
const answers = [
	paidAnswer,
	() => ({ type: "refused_payment" }),
	() => ({ type: "no_liquidity" })
];
async function expectSound(w, { funds, prices, requests }) {
	const tenantId = await w.newWallet(usdt(funds));
	const quotes = await quotesOf(w, tenantId, prices);
	await Promise.all(requests.map((request) => run$1(w, quotes, request)));
	const { items } = await w.payouts.list(tenantId, { limit: 100 });
	const wallet = await w.wallets.find(tenantId);
	const totals = await w.wallets.totals(tenantId);
	const sum = (payouts) => payouts.reduce((total, { quote }) => total + (quote?.source.minor ?? 0n), 0n);
	const inStatus = (status) => items.filter((each) => each.status === status);
	expect(new Set(items.map((each) => each.transactionId)).size).toBe(items.length);
	const used = items.flatMap((each) => each.quote ? [each.quoteId] : []);
	expect(new Set(used).size).toBe(used.length);
	const views = await Promise.all(quotes.map(({ id }) => w.quotes.find(tenantId, id)));
	for (const { quote, payoutId } of views.flatMap((view) => view ?? [])) expect(items.find((each) => each.quote?.id === quote.id)?.id ?? null).toBe(payoutId);
	expect(wallet?.held.minor).toBe(sum(inStatus("processing")));
	const left = funds - sum(inStatus("completed"));
	expect((wallet?.available.minor ?? 0n) + (wallet?.held.minor ?? 0n)).toBe(left);
	expect(wallet && isBalanced(wallet, totals)).toBe(true);
	for (const each of items) {
		const events = await eventsAbout(w, tenantId, each.id);
		const hasEvent = each.status !== "processing" && each.status !== "rejected";
		expect(events.map((event) => event.type)).toEqual(hasEvent ? [`payout.${each.status}`] : []);
	}
}
/** One request as `createPayout` makes it: apply, then settle; or insert the ended payout. */
async function run$1(w, quotes, request) {
	const quote = quotes[request.quote];
	if (quote === void 0) throw new Error("no such quote");
	const transactionId = `tx-${request.transaction}`;
	const write = w.applyCommit(quote, { transactionId });
	const applied = await w.payouts.commit(write);
	if (applied === "committed") {
		const { payout } = write.step;
		const settles = request.settledBy.flatMap((index) => answers[index]?.(payout) ?? []);
		const again = w.payouts.commit(write);
		const ends = await Promise.all(settles.map((each) => w.payouts.commit(w.settleCommit(payout, each))));
		expect(await again).toBe("stale");
		expect(ends.filter((end) => end === "committed")).toHaveLength(Math.min(1, settles.length));
	} else if (applied !== "stale") {
		const code = applied === "quote_used" ? "QUOTE_ALREADY_USED" : "INSUFFICIENT_BALANCE";
		await w.payouts.commit(w.insertEndedCommit(quote, {
			transactionId,
			code
		}));
	}
}
const quotesOf = (w, tenantId, prices) => Promise.all(prices.map((price) => w.newQuote(tenantId, { source: usdt(price) })));
const applyAll = (w, quotes, transactionId) => Promise.all(quotes.map((quote) => w.payouts.commit(w.applyCommit(quote, transactionId ? { transactionId } : {}))));
// packages/contracts/src/stores/payout/find-payout.contract.ts
function findPayoutTests(open, runs) {
	describe("reading", () => {
		const world = useWorld(open);
		for (const reading of ["latest", "confirmed"]) {
			test(`a ${reading} reading finds the quote and its resolution`, async () => {
				const w = world();
				const tenantId = await w.newWallet(usdt(0n));
				const resolution = await w.newResolution(tenantId);
				const quote = await w.newQuote(tenantId, { resolutionId: resolution.id });
				expect(await w.payouts.findForCreate(tenantId, "unheard-of", quote.id, reading)).toEqual({
					stored: void 0,
					quote: {
						quote,
						status: "open",
						payoutId: null
					},
					resolution
				});
			});
			test(`a ${reading} reading of unknown ids finds nothing`, async () => {
				const w = world();
				const tenantId = await w.newWallet(usdt(0n));
				const found = await w.payouts.findForCreate(tenantId, "unheard-of", w.ids.uuid(/* @__PURE__ */ new Date(0)), reading);
				expect(found).toEqual({
					stored: void 0,
					quote: void 0,
					resolution: void 0
				});
			});
			test(`a ${reading} reading finds the payout by its transaction_id, whatever the quote`, async () => {
				const w = world();
				const tenantId = await w.newWallet(usdt(100n));
				const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
				const other = await w.newQuote(tenantId);
				const { transactionId } = payout;
				const found = await w.payouts.findForCreate(tenantId, transactionId, other.id, reading);
				expect(found).toMatchObject({
					stored: { payout },
					quote: { status: "open" }
				});
				const blind = await w.payouts.findForCreate(tenantId, transactionId, w.ids.uuid(/* @__PURE__ */ new Date(0)), reading);
				expect(blind).toMatchObject({
					stored: { payout },
					quote: void 0
				});
			});
			test(`a ${reading} reading never shows a used quote without the payout that used it`, async () => {
				const w = world();
				const tenantId = await w.newWallet(usdt(1000n));
				for (let round = 0; round < 20; round++) {
					const quote = await w.newQuote(tenantId, { source: usdt(1n) });
					const write = w.applyCommit(quote);
					const { id, transactionId } = write.step.payout;
					const find = () => w.payouts.findForCreate(tenantId, transactionId, quote.id, reading);
					const [, ...finds] = await Promise.all([
						w.payouts.commit(write),
						find(),
						find(),
						find()
					]);
					for (const { stored, quote: view } of [...finds, await find()]) expect(view?.payoutId ?? void 0).toBe(stored?.payout.id);
					expect((await find()).stored?.payout.id).toBe(id);
				}
			});
		}
		test("a writer reads its own commits", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(1000n));
			for (let round = 0; round < 20; round++) {
				const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
				const { transactionId } = payout;
				expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe("processing");
				await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)));
				expect((await w.payouts.find(tenantId, transactionId))?.payout.status).toBe("completed");
			}
		});
		test("measures a payout’s age by the store’s clock", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(1000n));
			const { transactionId } = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
			const age = async () => (await w.payouts.find(tenantId, transactionId))?.ageMs ?? NaN;
			const before = await age();
			await w.advance(7);
			expect(await age() - before).toBeGreaterThanOrEqual(7e3);
			expect(await age() - before).toBeLessThan(36e5);
		});
		test("does not find another tenant’s payouts and quotes", async () => {
			const w = world();
			const [owner, otherTenant] = [await w.newWallet(usdt(100n)), await w.newWallet(usdt(100n))];
			const resolution = await w.newResolution(owner);
			const quote = await w.newQuote(owner, {
				source: usdt(1n),
				resolutionId: resolution.id
			});
			const { id, transactionId } = await w.newPayout(quote);
			expect(await w.payouts.get(otherTenant, id)).toBeUndefined();
			expect(await w.payouts.find(otherTenant, transactionId)).toBeUndefined();
			expect(await w.payouts.list(otherTenant, { limit: 10 })).toEqual({
				items: [],
				next: null
			});
			const filtered = await w.payouts.list(otherTenant, {
				limit: 10,
				transactionId
			});
			expect(filtered.items).toEqual([]);
			expect(await w.payouts.findForCreate(otherTenant, transactionId, quote.id, "confirmed")).toEqual({
				stored: void 0,
				quote: void 0,
				resolution: void 0
			});
			expect(await eventsAbout(w, otherTenant, id)).toEqual([]);
		});
		test("reads back every text, amount and instant as written", async () => {
			const w = world();
			const qr = fc.record({
				amountMode: fc.constantFrom("open", "closed"),
				merchant: fc.record({
					name: anyText,
					bankCode: anyText
				})
			});
			const sample = fc.record({
				qr,
				minor: anyMinor,
				createdAt: anyInstant,
				endedAt: anyInstant
			});
			await fc.assert(fc.asyncProperty(sample, anyText, async ({ minor, ...written }, message) => {
				const tenantId = await w.newWallet(usdt(0n));
				const quote = await w.newQuote(tenantId);
				const { step, ...write } = w.insertEndedCommit(quote, { code: "QUOTE_AMOUNT_MISMATCH" });
				const target = {
					currency: "BOB",
					minor
				};
				const error = {
					code: "QUOTE_AMOUNT_MISMATCH",
					message
				};
				const payout = {
					...step.payout,
					...written,
					status: "cancelled",
					target,
					error
				};
				const event = newEvent(payout, "payout.cancelled", w.ids, payout.endedAt);
				const changed = {
					...step,
					payout,
					event
				};
				expect(await w.payouts.commit({
					...write,
					step: changed
				})).toBe("committed");
				expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout);
			}), { numRuns: runs });
		});
	});
}
// packages/contracts/src/stores/payout/insert-ended-payout.contract.ts
function insertEndedPayoutTests(open) {
	describe("inserting an ended payout", () => {
		const world = useWorld(open);
		test("stores a cancelled payout with its event, and changes neither quote nor wallet", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId, { source: usdt(30n) });
			const write = w.insertEndedCommit(quote, { fingerprint: "v1:refused" });
			const { payout } = write.step;
			expect(await w.payouts.commit(write)).toBe("committed");
			expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout);
			const known = {
				payout,
				fingerprint: "v1:refused",
				leased: false,
				ageMs: expect.any(Number)
			};
			expect(await w.payouts.find(tenantId, payout.transactionId)).toEqual(known);
			const view = {
				quote,
				status: "open",
				payoutId: null
			};
			expect(await w.quotes.find(tenantId, quote.id)).toEqual(view);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 100n,
				held: 0n
			});
			await expectEventOf(w, write);
		});
		test("stores a rejected payout without QR and event", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const write = w.insertEndedCommit(await w.newQuote(tenantId), { code: "QR_REFUSED" });
			const { payout } = write.step;
			expect(await w.payouts.commit(write)).toBe("committed");
			const stored = await w.payouts.get(tenantId, payout.id);
			expect(stored).toEqual(payout);
			expect(stored).toMatchObject({
				qr: null,
				error: { message: payoutMessages.QR_REFUSED }
			});
			expect(await eventsAbout(w, tenantId, payout.id)).toEqual([]);
		});
		test("a used transaction_id is stale and adds no payout and no event", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId);
			const first = w.insertEndedCommit(quote, { transactionId: "same" });
			const second = w.insertEndedCommit(quote, {
				transactionId: "same",
				code: "QUOTE_EXPIRED"
			});
			expect(await w.payouts.commit(first)).toBe("committed");
			expect(await w.payouts.commit(first)).toBe("stale");
			expect(await w.payouts.commit(second)).toBe("stale");
			expect(await w.payouts.commit(w.applyCommit(quote, { transactionId: "same" }))).toBe("stale");
			const { items } = await w.payouts.list(tenantId, { limit: 100 });
			expect(items).toEqual([first.step.payout]);
			expect((await w.quotes.find(tenantId, quote.id))?.status).toBe("open");
			expect(await eventsAbout(w, tenantId, second.step.payout.id)).toEqual([]);
			await expectEventOf(w, first);
		});
		test("stores the target and QR as read when the amount differs from the quote’s", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const quote = await w.newQuote(tenantId);
			const write = w.insertEndedCommit(quote, { code: "QUOTE_AMOUNT_MISMATCH" });
			const target = {
				currency: "BOB",
				minor: 30001n
			};
			const payout = {
				...write.step.payout,
				target
			};
			expect(await w.payouts.commit({
				...write,
				step: {
					...write.step,
					payout
				}
			})).toBe("committed");
			expect(await w.payouts.get(tenantId, payout.id)).toMatchObject({
				target,
				qr: someQr
			});
		});
	});
}
// packages/contracts/src/stores/payout/limit-payouts.contract.ts
/** What the network answers when it pays nothing. */
const unpaid = { type: "refused_payment" };
const dayInSeconds = 86400;
/** Daily limits, decided by the commit that applies a payout. */
function limitPayoutsTests(open, runs) {
	describe("daily limits", () => {
		const world = useWorld(open, "each");
		test("refuse a payout above the amount or the count, and hold nothing", async () => {
			const w = world();
			for (const limits of [{
				amount: usdt(29n),
				count: null
			}, {
				amount: null,
				count: 2
			}]) {
				const tenantId = await newLimited(w, limits);
				expect(await apply(w, tenantId, [10n])).toEqual(["committed"]);
				expect(await apply(w, tenantId, [10n])).toEqual(["committed"]);
				const refused = w.applyCommit(await w.newQuote(tenantId, { source: usdt(10n) }));
				expect(await w.payouts.commit(refused)).toBe("daily_limit_exceeded");
				expect(await w.payouts.get(tenantId, refused.step.payout.id)).toBeUndefined();
				const quote = await w.quotes.find(tenantId, refused.step.payout.quoteId);
				expect(quote).toMatchObject({
					status: "open",
					payoutId: null
				});
				expect(await w.wallets.find(tenantId)).toMatchObject({ held: usdt(20n) });
				expect(await usedToday$1(w, tenantId)).toEqual({
					amount: usdt(20n),
					count: 2
				});
			}
		});
		test("are decided after the quote and before the balance", async () => {
			const w = world();
			const tenantId = await newLimited(w, {
				amount: usdt(10n),
				count: null
			}, 5n);
			const quote = await w.newQuote(tenantId, {
				source: usdt(11n),
				lifeSeconds: 60
			});
			expect(await w.payouts.commit(w.applyCommit(quote))).toBe("daily_limit_exceeded");
			expect(await apply(w, tenantId, [10n])).toEqual(["insufficient_balance"]);
			await w.advance(60);
			expect(await w.payouts.commit(w.applyCommit(quote))).toBe("quote_expired");
		});
		test("admit exactly up to the limit of many concurrent payouts", async () => {
			const w = world();
			const prices = Array.from({ length: 150 }, () => 10n);
			for (const limits of [
				{
					amount: usdt(79n),
					count: null
				},
				{
					amount: null,
					count: 7
				},
				{
					amount: usdt(70n),
					count: 7
				}
			]) {
				const tenantId = await newLimited(w, limits);
				const results = await apply(w, tenantId, prices);
				expect(results.filter((result) => result === "committed")).toHaveLength(7);
				expect(results.filter((result) => result === "daily_limit_exceeded")).toHaveLength(143);
				expect(await usedToday$1(w, tenantId)).toEqual({
					amount: usdt(70n),
					count: 7
				});
			}
		});
		test("refuse only what does not fit, and only to the tenant that has them", async () => {
			const w = world();
			const limited = await newLimited(w, {
				amount: usdt(10n),
				count: null
			});
			const free = await newLimited(w, {
				amount: null,
				count: null
			});
			const [results, others] = await Promise.all([apply(w, limited, [
				20n,
				5n,
				5n
			]), apply(w, free, [
				20n,
				5n,
				5n
			])]);
			expect(results).toEqual([
				"daily_limit_exceeded",
				"committed",
				"committed"
			]);
			expect(others).toEqual([
				"committed",
				"committed",
				"committed"
			]);
			expect(await usedToday$1(w, free)).toEqual({
				amount: usdt(30n),
				count: 3
			});
		});
		test("count a payout while it is in processing and after it is paid, until midnight UTC", async () => {
			const w = world();
			const tenantId = await newLimited(w, {
				amount: null,
				count: 1
			});
			const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(10n) }));
			expect(await apply(w, tenantId, [1n])).toEqual(["daily_limit_exceeded"]);
			await settle$1(w, payout, paidAnswer(payout));
			expect(await apply(w, tenantId, [1n])).toEqual(["daily_limit_exceeded"]);
			await w.advance(dayInSeconds);
			expect(await usedToday$1(w, tenantId)).toEqual({
				amount: usdt(0n),
				count: 0
			});
			expect(await apply(w, tenantId, [1n, 1n])).toEqual(["committed", "daily_limit_exceeded"]);
		});
		test("get back what is released, once", async () => {
			const w = world();
			const tenantId = await newLimited(w, {
				amount: usdt(30n),
				count: 3
			});
			const [paid, released, open] = await Promise.all([
				10n,
				10n,
				10n
			].map(async (price) => w.newPayout(await w.newQuote(tenantId, { source: usdt(price) }))));
			if (!paid || !released || !open) throw new Error("three payouts");
			const release = w.settleCommit(released, unpaid);
			const results = await Promise.all([
				w.payouts.commit(w.settleCommit(paid, paidAnswer(paid))),
				w.payouts.commit(release),
				w.payouts.commit(release)
			]);
			expect(results.toSorted()).toEqual([
				"committed",
				"committed",
				"stale"
			]);
			expect(await usedToday$1(w, tenantId)).toEqual({
				amount: usdt(20n),
				count: 2
			});
			expect(await apply(w, tenantId, [11n])).toEqual(["daily_limit_exceeded"]);
			expect(await apply(w, tenantId, [10n])).toEqual(["committed"]);
		});
		test("a release after midnight leaves the new day as it is", async () => {
			const w = world();
			const tenantId = await newLimited(w, {
				amount: usdt(30n),
				count: null
			});
			const old = await w.newPayout(await w.newQuote(tenantId, { source: usdt(20n) }));
			await w.advance(dayInSeconds);
			const recent = await w.newPayout(await w.newQuote(tenantId, { source: usdt(10n) }));
			await settle$1(w, old, unpaid);
			expect(await usedToday$1(w, tenantId)).toEqual({
				amount: usdt(10n),
				count: 1
			});
			expect(await apply(w, tenantId, [21n])).toEqual(["daily_limit_exceeded"]);
			await settle$1(w, recent, unpaid);
			expect(await usedToday$1(w, tenantId)).toEqual({
				amount: usdt(0n),
				count: 0
			});
			const both = [await w.newPayout(await w.newQuote(tenantId, { source: usdt(7n) })), await w.newPayout(await w.newQuote(tenantId, { source: usdt(8n) }))];
			await Promise.all(both.map((payout) => settle$1(w, payout, unpaid)));
			expect(await usedToday$1(w, tenantId)).toEqual({
				amount: usdt(0n),
				count: 0
			});
		});
		test("a new limit counts the payouts of the whole day, and one below them refuses the next", async () => {
			const w = world();
			const tenantId = await newLimited(w, {
				amount: null,
				count: null
			});
			expect(await apply(w, tenantId, [10n, 10n])).toEqual(["committed", "committed"]);
			await limit(w, tenantId, {
				amount: usdt(25n),
				count: null
			});
			expect(await apply(w, tenantId, [6n])).toEqual(["daily_limit_exceeded"]);
			await limit(w, tenantId, {
				amount: usdt(15n),
				count: null
			});
			expect(await apply(w, tenantId, [1n])).toEqual(["daily_limit_exceeded"]);
			await limit(w, tenantId, {
				amount: usdt(26n),
				count: null
			});
			expect(await apply(w, tenantId, [6n])).toEqual(["committed"]);
			expect((await w.tenants.find(tenantId))?.usedToday).toEqual({
				amount: usdt(26n),
				count: 3
			});
		});
		test("in random races, the day’s payouts that were not released never exceed them", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyRace, (race) => expectWithinLimits(w, race)), { numRuns: runs });
		});
	});
}
const anyRace = fc.record({
	limits: fc.record({
		amount: fc.option(fc.bigInt({
			min: 1n,
			max: 40n
		}).map(usdt)),
		count: fc.option(fc.integer({
			min: 1,
			max: 5
		}))
	}),
	funds: fc.bigInt({
		min: 20n,
		max: 200n
	}),
	days: fc.array(fc.array(fc.record({
		price: fc.bigInt({
			min: 1n,
			max: 20n
		}),
		end: fc.constantFrom("paid", "unpaid", null)
	}), {
		minLength: 1,
		maxLength: 8
	}), {
		minLength: 1,
		maxLength: 3
	})
});
async function expectWithinLimits(w, { limits, funds, days }) {
	const tenantId = await newLimited(w, limits, funds);
	const late = [];
	for (const payouts of days) {
		const today = [];
		await Promise.all(payouts.map(async ({ price, end }) => {
			const write = w.applyCommit(await w.newQuote(tenantId, { source: usdt(price) }));
			if (await w.payouts.commit(write) !== "committed") return;
			const { payout } = write.step;
			if (end !== null) await settle$1(w, payout, end === "paid" ? paidAnswer(payout) : unpaid);
			if (end !== "unpaid") today.push(payout);
			if (end === null) late.push(payout);
		}));
		const used = await usedToday$1(w, tenantId);
		expect(used).toEqual({
			amount: usdt(sumOf(today)),
			count: today.length
		});
		expect(limits.amount === null || used.amount.minor <= limits.amount.minor).toBe(true);
		expect(limits.count === null || used.count <= limits.count).toBe(true);
		await w.advance(dayInSeconds);
		await Promise.all(late.splice(0, 2).map((payout) => settle$1(w, payout, unpaid)));
		expect(await usedToday$1(w, tenantId)).toEqual({
			amount: usdt(0n),
			count: 0
		});
	}
}
const sumOf = (payouts) => payouts.reduce((sum, { quote }) => sum + quote.source.minor, 0n);
const newLimited = (w, dailyLimits, funds = 10000n) => w.newWallet(usdt(funds), { dailyLimits });
async function limit(w, tenantId, dailyLimits) {
	const tenant = await w.tenants.find(tenantId);
	if (tenant === void 0) throw new Error("no tenant");
	const next = {
		...tenant,
		dailyLimits,
		revision: tenant.revision + 1
	};
	expect(await w.tenants.update(next, "tenant.update", someAdmin)).toBe("committed");
}
/** Applies payouts of these prices at once. */
async function apply(w, tenantId, prices) {
	const quotes = await Promise.all(prices.map((price) => w.newQuote(tenantId, { source: usdt(price) })));
	return Promise.all(quotes.map((quote) => w.payouts.commit(w.applyCommit(quote))));
}
async function settle$1(w, payout, answer) {
	expect(await w.payouts.commit(w.settleCommit(payout, answer))).not.toBe("stale");
}
async function usedToday$1(w, tenantId) {
	const wallet = await w.wallets.find(tenantId);
	if (wallet === void 0) throw new Error("no wallet");
	return wallet.usedToday;
}
// packages/contracts/src/stores/payout/list-payouts.contract.ts
function listPayoutsTests(open) {
	describe("list", () => {
		const world = useWorld(open);
		const noon = /* @__PURE__ */ new Date("2026-05-01T12:00:00.500Z");
		const msAfter = (ms) => new Date(noon.getTime() + ms);
		/** Ended payouts, one for each instant, in this order. */
		async function payoutsAt(w, tenantId, instants) {
			const quote = await w.newQuote(tenantId);
			const payouts = [];
			for (const createdAt of instants) {
				const write = w.insertEndedCommit(quote, { createdAt });
				expect(await w.payouts.commit(write)).toBe("committed");
				payouts.push(write.step.payout);
			}
			return payouts;
		}
		test("sorts by creation and id, newest first, whatever the order of insertion", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const payouts = await payoutsAt(w, tenantId, [
				5,
				1,
				3,
				3,
				3,
				0,
				5,
				-864e5,
				4e7
			].map(msAfter));
			const page = await w.payouts.list(tenantId, { limit: 100 });
			expect(page).toEqual({
				items: newestFirst$2(payouts),
				next: null
			});
		});
		test("pages have at most `limit` rows and continue without gap or overlap", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			await expectPages(await payoutsAt(w, tenantId, [
				1,
				2,
				2,
				2,
				2,
				3,
				4
			].map(msAfter)), (query) => w.payouts.list(tenantId, query));
		});
		test("payouts inserted during paging neither hide nor repeat a row", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const before = await payoutsAt(w, tenantId, Array.from({ length: 12 }, (_, i) => msAfter(i >> 1)));
			const seen = [];
			let after;
			do {
				const page = await w.payouts.list(tenantId, {
					limit: 3,
					...after && { after }
				});
				seen.push(...page.items);
				await payoutsAt(w, tenantId, [msAfter(100), msAfter(3)]);
				after = page.next ?? void 0;
			} while (after !== void 0);
			const ids = new Set(before.map(({ id }) => id));
			expect(seen.filter(({ id }) => ids.has(id))).toEqual(newestFirst$2(before));
			expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
		});
		test("`from` and `to` are inclusive, to the millisecond", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const payouts = await payoutsAt(w, tenantId, [
				-1,
				0,
				0,
				1,
				2
			].map(msAfter));
			const ids = async (query) => idsOf((await w.payouts.list(tenantId, {
				limit: 100,
				...query
			})).items);
			const expected = (from, to) => idsOf(newestFirst$2(payouts.slice(from, to)));
			expect(await ids({
				from: noon,
				to: noon
			})).toEqual(expected(1, 3));
			expect(await ids({ from: noon })).toEqual(expected(1, 5));
			expect(await ids({ to: noon })).toEqual(expected(0, 3));
			expect(await ids({
				from: msAfter(1),
				to: msAfter(2)
			})).toEqual(expected(3, 5));
			expect(await ids({ from: msAfter(3) })).toEqual([]);
			expect(await ids({ to: msAfter(-2) })).toEqual([]);
			const range = {
				from: noon,
				to: msAfter(1)
			};
			const pages = await allPages((query) => w.payouts.list(tenantId, {
				...query,
				...range
			}), 1);
			expect(idsOf(pages.flat())).toEqual(expected(1, 4));
		});
		test("filters by status, also across pages", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(1000n));
			const [completed, failed, rejected, cancelled, processing] = await onePerStatus(w, tenantId);
			const wanted = {
				completed,
				failed,
				rejected,
				cancelled
			};
			for (const status of [
				"completed",
				"failed",
				"rejected",
				"cancelled"
			]) {
				const { items } = await w.payouts.list(tenantId, {
					limit: 10,
					status
				});
				expect(items).toEqual(wanted[status]);
				const pages = await allPages((query) => w.payouts.list(tenantId, {
					...query,
					status
				}), 1);
				expect(pages.flat()).toEqual(wanted[status]);
			}
			const { items } = await w.payouts.list(tenantId, { limit: 100 });
			expect(idsOf(items)).toEqual(expect.arrayContaining(idsOf(processing ?? [])));
			expect(items).toHaveLength(10);
		});
		test("filters by transaction_id, also combined with other filters", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const [, wanted] = await payoutsAt(w, tenantId, [
				msAfter(0),
				msAfter(1),
				msAfter(2)
			]);
			const transactionId = wanted?.transactionId ?? "";
			const find = async (query) => (await w.payouts.list(tenantId, {
				limit: 10,
				transactionId,
				...query
			})).items;
			expect(await find({})).toEqual([wanted]);
			expect(await find({
				status: "cancelled",
				from: msAfter(1),
				to: msAfter(1)
			})).toEqual([wanted]);
			expect(await find({ status: "completed" })).toEqual([]);
			expect(await find({ from: msAfter(2) })).toEqual([]);
			expect(await find({ to: noon })).toEqual([]);
			expect(await find({ transactionId: "no-such" })).toEqual([]);
			const after = {
				createdAt: msAfter(1),
				id: wanted?.id ?? ""
			};
			expect(await find({ after })).toEqual([]);
		});
	});
}
const idsOf = (payouts) => payouts.map(({ id }) => id);
/** Two payouts of each status, each list newest first. */
async function onePerStatus(w, tenantId) {
	const twice = async (make) => newestFirst$2([await make(), await make()]);
	const applied = async () => w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }));
	const refused = async (code) => {
		const write = w.insertEndedCommit(await w.newQuote(tenantId), { code });
		await w.payouts.commit(write);
		return write.step.payout;
	};
	const settled = async (how) => {
		const payout = await applied();
		const write = w.settleCommit(payout, how === "paid" ? paidAnswer(payout) : { type: how });
		await w.payouts.commit(write);
		return write.step.payout;
	};
	return [
		await twice(() => settled("paid")),
		await twice(() => settled("refused_payment")),
		await twice(() => refused("QR_REFUSED")),
		await twice(() => refused("QUOTE_EXPIRED")),
		await twice(applied)
	];
}
// packages/contracts/src/stores/payout/settle-payout.contract.ts
const refusals = [
	{ type: "refused_payment" },
	{ type: "refused_qr" },
	{ type: "no_liquidity" },
	{ type: "limit" },
	{
		type: "not_sent",
		reason: "connection refused"
	},
	{ type: "cancelled" }
];
function settlePayoutTests(open) {
	describe("settling", () => {
		const world = useWorld(open);
		async function processing(w, source = 30n) {
			const tenantId = await w.newWallet(usdt(100n));
			return w.newPayout(await w.newQuote(tenantId, { source: usdt(source) }));
		}
		test("a paid payout captures exactly its hold, and its event is stored byte for byte", async () => {
			const w = world();
			const payout = await processing(w);
			const { tenantId, id } = payout;
			const write = w.settleCommit(payout, paidAnswer(payout), { at: /* @__PURE__ */ new Date("2126-03-04T05:06:09.991Z") });
			expect(await w.payouts.commit(write)).toBe("committed");
			expect(await w.payouts.get(tenantId, id)).toEqual(write.step.payout);
			expect(await w.payouts.find(tenantId, payout.transactionId)).toMatchObject({ leased: false });
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 70n,
				held: 0n
			});
			const totals = {
				adjusted: usdt(100n),
				credited: usdt(0n),
				debited: usdt(30n),
				held: usdt(0n)
			};
			expect(await w.wallets.totals(tenantId)).toEqual(totals);
			await expectEventOf(w, write);
		});
		for (const answer of refusals) test(`a payout that ends with ${answer.type} releases its whole hold`, async () => {
			const w = world();
			const payout = await processing(w);
			const { tenantId } = payout;
			const write = w.settleCommit(payout, answer);
			expect(await w.payouts.commit(write)).toBe("committed");
			expect(await w.payouts.get(tenantId, payout.id)).toEqual(write.step.payout);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 100n,
				held: 0n
			});
			expect((await w.wallets.totals(tenantId)).held).toEqual(usdt(0n));
			expect((await w.quotes.find(tenantId, payout.quoteId))?.status).toBe("used");
			await expectEventOf(w, write);
		});
		test("settling a settled payout is stale and writes nothing", async () => {
			const w = world();
			const payout = await processing(w);
			const first = w.settleCommit(payout, paidAnswer(payout));
			expect(await w.payouts.commit(first)).toBe("committed");
			for (const answer of [paidAnswer(payout), ...refusals]) expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe("stale");
			expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(first.step.payout);
			expect(await balanceOf(w, payout.tenantId)).toEqual({
				available: 70n,
				held: 0n
			});
			await expectEventOf(w, first);
		});
		test("exactly one of many concurrent settlements commits", async () => {
			const w = world();
			const payout = await processing(w);
			const writes = [
				paidAnswer(payout),
				...refusals,
				...refusals
			].map((each) => w.settleCommit(payout, each));
			const results = await Promise.all(writes.map((write) => w.payouts.commit(write)));
			const winner = writes[results.indexOf("committed")];
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "stale")).toHaveLength(writes.length - 1);
			expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(winner?.step.payout);
			const left = winner?.step.payout.status === "completed" ? 70n : 100n;
			expect(await balanceOf(w, payout.tenantId)).toEqual({
				available: left,
				held: 0n
			});
		});
		test("an older or newer fencing token is stale, as is an unknown payout", async () => {
			const w = world();
			const payout = await processing(w);
			const { tenantId, id: payoutId } = payout;
			const other = await w.newWallet(usdt(0n));
			const unknown = w.ids.next("po", someInstant);
			for (const claim of [
				{
					tenantId,
					payoutId,
					fencingToken: 0
				},
				{
					tenantId,
					payoutId,
					fencingToken: 2
				},
				{
					tenantId,
					payoutId: unknown,
					fencingToken: 1
				},
				{
					tenantId: other,
					payoutId,
					fencingToken: 1
				}
			]) {
				const write = w.settleCommit(payout, paidAnswer(payout), { claim });
				expect(await w.payouts.commit(write)).toBe("stale");
			}
			expect(await w.payouts.get(tenantId, payoutId)).toEqual(payout);
			expect(await balanceOf(w, tenantId)).toEqual({
				available: 70n,
				held: 30n
			});
			expect(await eventsAbout(w, tenantId, payoutId)).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/payout/payout-store.contract.ts
/** The contract of a `PayoutStore`. */
function payoutStoreContract(name, open, { runs = 50 } = {}) {
	describe(`payout store in ${name}`, () => {
		applyPayoutTests(open);
		settlePayoutTests(open);
		insertEndedPayoutTests(open);
		claimPayoutTests(open);
		findPayoutTests(open, runs);
		listPayoutsTests(open);
		concurrentPayoutsTests(open, runs);
		limitPayoutsTests(open, runs);
	});
}
// packages/contracts/src/stores/notice/notice-store.contract.ts
const [hour, day$1] = [3600, 86400];
const by = {
	tokenHash: tokenHashOf("ada"),
	at: someInstant
};
/** The contract of a `NoticeStore`. */
function noticeStoreContract(name, open) {
	describe(`notice store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("claims each event of a key once it is accepted, in the order of the audit log", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const first = await issued(w, tenant.id);
			const second = await issued(w, tenant.id, { replaces: {
				keyId: first.id,
				overlapHours: 24
			} });
			const [addresses, others] = [["192.0.2.0/24"], ["2001:db8::/32", "198.51.100.7"]];
			await w.apiKeys.setAllowedAddresses(second, addresses, by);
			await w.apiKeys.setAllowedAddresses(second, others, by);
			await w.apiKeys.revoke(second, someOperator);
			const notices = await takeAll(w);
			expect(notices.map(({ type, key }) => [type, key?.id])).toEqual([
				["api_key.issued", first.id],
				["api_key.issued", second.id],
				["api_key.rotated", first.id],
				["api_key.addresses_changed", second.id],
				["api_key.addresses_changed", second.id],
				["api_key.revoked", second.id]
			]);
			const ends = new Date(second.createdAt.getTime() + 24 * hour * 1e3);
			expect(notices.map(({ key }) => key?.expiresAt)).toEqual([
				null,
				null,
				ends,
				null,
				null,
				null
			]);
			const allowed = notices.map(({ key }) => key?.allowedAddresses);
			expect(allowed).toEqual([
				null,
				null,
				null,
				addresses,
				others,
				others
			]);
			expect(notices[1]?.key?.replaces).toBe(first.id);
			expect(notices[2]?.key?.replacedBy).toBe(second.id);
			const { id, name: keyName, prefix, lastFour, scopes } = first;
			expect(notices[0]).toMatchObject({
				tenantId: tenant.id,
				occurredAt: first.createdAt,
				recipients: [tenant.technicalContact],
				key: {
					id,
					name: keyName,
					prefix,
					lastFour,
					scopes,
					replaces: null,
					replacedBy: null
				}
			});
			expect(new Set(notices.map((each) => each.id)).size).toBe(6);
			expect(await w.notices.claim(60)).toBeUndefined();
		});
		test("a lost lease repeats the notice under a new claim, and refuses the old one", async () => {
			const w = world();
			const key = await issued(w, (await w.newTenant()).id);
			await w.apiKeys.revoke(key, someOperator);
			const lost = await claimed$2(w);
			expect(await w.notices.claim(60)).toBeUndefined();
			await w.advance(61);
			const again = await claimed$2(w);
			expect(tenantNotice(again.source)).toEqual(tenantNotice(lost.source));
			expect(again.failedAttempts).toBe(0);
			expect(await w.notices.accept(lost.claim)).toBe("stale");
			expect(await w.notices.retry(lost.claim, 0)).toBe("stale");
			expect(await w.notices.accept(again.claim)).toBe("committed");
			expect(await w.notices.accept(again.claim)).toBe("stale");
			expect((await takeAll(w)).map(({ type }) => type)).toEqual(["api_key.revoked"]);
		});
		test("a failed attempt pauses all notices, and is counted until one is accepted", async () => {
			const w = world();
			const key = await issued(w, (await w.newTenant()).id);
			await w.apiKeys.revoke(key, someOperator);
			const types = [];
			for (const failedAttempts of [
				0,
				1,
				2
			]) {
				const attempt = await claimed$2(w);
				types.push(tenantNotice(attempt.source).type);
				expect(attempt.failedAttempts).toBe(failedAttempts);
				expect(await w.notices.retry(attempt.claim, 3e4)).toBe("committed");
				expect(await w.notices.retry(attempt.claim, 0)).toBe("stale");
				await w.advance(28);
				expect(await w.notices.claim(60)).toBeUndefined();
				await w.advance(3);
			}
			expect(new Set(types)).toEqual(/* @__PURE__ */ new Set(["api_key.issued"]));
			await w.notices.accept((await claimed$2(w)).claim);
			expect((await claimed$2(w)).failedAttempts).toBe(0);
		});
		test("exactly one of many concurrent claims has the notice", async () => {
			const w = world();
			await issued(w, (await w.newTenant()).id);
			const claims = await Promise.all(Array.from({ length: 6 }, () => w.notices.claim(60)));
			expect(claims.filter((claim) => claim !== void 0)).toHaveLength(1);
		});
		test("a changed contact is notified at both addresses, and of what happened at its time", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const key = await issued(w, tenant.id);
			const update = (change, revision) => w.tenants.update({
				...tenant,
				...change,
				revision
			}, "tenant.update", someOperator);
			const mallory = {
				name: "Mallory",
				email: "m@elsewhere.example"
			};
			const renamed = {
				...mallory,
				name: "M. Allory"
			};
			expect(await update({ technicalContact: mallory }, 2)).toBe("committed");
			expect(await update({ technicalContact: renamed }, 3)).toBe("committed");
			expect(await update({
				technicalContact: renamed,
				legalName: "Otra S.A."
			}, 4)).toBe("committed");
			await w.apiKeys.revoke(key, someOperator);
			const notices = await takeAll(w);
			const old = tenant.technicalContact;
			expect(notices.map(({ type, recipients }) => [type, recipients])).toEqual([
				["api_key.issued", [old]],
				["technical_contact.changed", [old, mallory]],
				["technical_contact.changed", [renamed]],
				["api_key.revoked", [renamed]]
			]);
			expect(notices[1]).toMatchObject({
				tenantId: tenant.id,
				key: null
			});
		});
		test("a key has one notice of its expiry, seven days before, unless it is revoked", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const now = await nowOf(w);
			const expiring = (seconds) => issued(w, tenant.id, { expiresAt: new Date(now.getTime() + seconds * 1e3) });
			const keys = [
				await expiring(10 * day$1),
				await expiring(9 * day$1),
				await expiring(10 * day$1)
			];
			const revoked = await expiring(9 * day$1);
			await w.apiKeys.revoke(revoked, someOperator);
			await takeAll(w);
			await w.advance(2 * day$1 - hour);
			expect(await takeAll(w)).toEqual([]);
			await w.advance(hour + 2);
			const [notice, ...others] = await takeAll(w);
			expect(others).toEqual([]);
			const [, first] = keys;
			expect(notice).toMatchObject({
				type: "api_key.expires_soon",
				tenantId: tenant.id,
				recipients: [tenant.technicalContact],
				occurredAt: new Date(now.getTime() + 2 * day$1 * 1e3),
				key: {
					id: first?.id,
					expiresAt: first?.expiresAt
				}
			});
			await w.advance(day$1);
			const later = (await takeAll(w)).map(({ key }) => key?.id);
			expect(later).toEqual([keys[0]?.id, keys[2]?.id].toSorted());
			await w.advance(8 * day$1);
			expect(await takeAll(w)).toEqual([]);
		});
		test("a lost lease repeats the notice of an expiry, with the same id", async () => {
			const w = world();
			const expiresAt = new Date((await nowOf(w)).getTime() + 8 * day$1 * 1e3);
			await issued(w, (await w.newTenant()).id, { expiresAt });
			await takeAll(w);
			await w.advance(day$1 + 2);
			const lost = tenantNotice((await claimed$2(w)).source);
			await w.advance(61);
			const [again] = await takeAll(w);
			expect(again).toEqual(lost);
		});
		test("a key issued for less than seven days has the notice of its issue only", async () => {
			const w = world();
			await takeAll(w);
			const now = await nowOf(w);
			const expiresAt = new Date(now.getTime() + 3 * day$1 * 1e3);
			await issued(w, (await w.newTenant()).id, { expiresAt });
			await w.advance(day$1);
			const notices = await takeAll(w);
			expect(notices.map(({ type, key }) => [type, key?.expiresAt])).toEqual([["api_key.issued", expiresAt]]);
		});
		test("the backlog counts entries whose notices were not accepted, and the time of failures", async () => {
			const w = world();
			const now = await nowOf(w);
			const expiresAt = new Date(now.getTime() + 8 * day$1 * 1e3);
			const other = await issued(w, (await issued(w, (await w.newTenant()).id, { expiresAt })).tenantId);
			await w.apiKeys.revoke(other, {
				...someOperator,
				at: now
			});
			const waiting = async () => {
				const { count, oldestSeconds } = (await w.backlog.read()).notices;
				return {
					count,
					minutes: Math.floor(oldestSeconds / 60)
				};
			};
			expect((await waiting()).count).toBe(3);
			await w.notices.accept((await claimed$2(w)).claim);
			await w.notices.accept((await claimed$2(w)).claim);
			await w.advance(60);
			expect(await waiting()).toEqual({
				count: 1,
				minutes: 1
			});
			await takeAll(w);
			expect(await waiting()).toEqual({
				count: 0,
				minutes: 0
			});
			await w.advance(day$1 + 2);
			await w.notices.retry((await claimed$2(w)).claim, 0);
			await w.advance(120);
			expect(await waiting()).toEqual({
				count: 0,
				minutes: 2
			});
			await takeAll(w);
			expect(await waiting()).toEqual({
				count: 0,
				minutes: 0
			});
		});
		test("notices are of the actions on keys that the audit log has", () => {
			expect(noticedKeyActions.toSorted()).toEqual([...[
				"api_key.issue",
				"api_key.revoke",
				"api_key.rotate",
				"api_key.set_addresses"
			]]);
		});
	});
}
async function issued(w, tenantId, terms = {}) {
	const made = {
		...newKey(w, tenantId),
		...terms
	};
	const key = {
		...made,
		activatedAt: made.createdAt
	};
	expect(await w.apiKeys.issue(key, by.tokenHash)).toBe("committed");
	return key;
}
async function claimed$2({ notices }) {
	const found = await notices.claim(60);
	if (!found) throw new Error("no notice is due");
	return found;
}
/** Claims and accepts every notice that is due. */
async function takeAll({ notices }) {
	const taken = [];
	for (;;) {
		const next = await notices.claim(60);
		if (!next) return taken;
		taken.push(tenantNotice(next.source));
		expect(await notices.accept(next.claim)).toBe("committed");
	}
}
/** The store's clock: the age of an audit entry of a known instant shows it. */
async function nowOf(w) {
	await issued(w, (await w.newTenant()).id);
	const { oldestSeconds } = (await w.backlog.read()).notices;
	await takeAll(w);
	return new Date(Math.round(someInstant.getTime() + oldestSeconds * 1e3));
}
// packages/contracts/src/stores/process/process-store.contract.ts
const [day, minute] = [86400, 60];
/** The contract of a `ProcessStore`. */
function processStoreContract(name, open) {
	describe(`process store in ${name}`, () => {
		const world = useWorld(open, "each");
		const newProcess = (program) => ({
			id: world().ids.next("prc", /* @__PURE__ */ new Date(0)),
			program,
			host: "máquina-1",
			aheadMs: -3
		});
		const ages = ({ ageSeconds, steadySeconds, silentSeconds }) => [...[
			ageSeconds,
			steadySeconds,
			silentSeconds
		].map(Math.round)];
		test("a process is listed with its ages until it ends", async () => {
			const { processes, advance } = world();
			const [worker, api] = [newProcess("worker"), newProcess("api")];
			await processes.beat(worker);
			await advance(10);
			await processes.beat({
				...worker,
				aheadMs: 61e3
			});
			await processes.beat(api);
			await advance(4);
			const found = await processes.list();
			expect(found).toMatchObject([api, {
				...worker,
				aheadMs: 61e3
			}]);
			expect(found.map(ages)).toEqual([[
				4,
				4,
				4
			], [
				14,
				14,
				4
			]]);
			await processes.end(worker.id);
			await processes.end(worker.id);
			expect(await processes.list()).toMatchObject([api]);
		});
		test("a pause of more than 15 s between two heartbeats begins a new series", async () => {
			const { processes, advance } = world();
			const worker = newProcess("worker");
			const listed = async () => (await processes.list()).map(ages);
			await processes.beat(worker);
			await advance(14);
			await processes.beat(worker);
			expect(await listed()).toEqual([[
				14,
				14,
				0
			]]);
			await advance(16);
			await processes.beat(worker);
			expect(await listed()).toEqual([[
				30,
				0,
				0
			]]);
		});
		test("the next heartbeat of any process forgets one that has been silent for a day", async () => {
			const { processes, advance } = world();
			const [first, second] = [newProcess("worker"), newProcess("worker")];
			await processes.beat(first);
			await advance(day - minute);
			await processes.beat(second);
			expect(await processes.list()).toHaveLength(2);
			await advance(2 * minute);
			await processes.beat(second);
			expect(await processes.list()).toMatchObject([second]);
		});
	});
}
// packages/contracts/src/stores/rate-limit/rate-limit-store.contract.ts
const use = (over = {}) => ({
	key: "writes:ten_1",
	count: 1,
	ageMs: 0,
	perSecond: 10,
	...over
});
/** The contract of a `RateLimitStore`. */
function rateLimitStoreContract(name, open) {
	describe(`rate limit store in ${name}`, () => {
		const world = useWorld(open, "each");
		const recorded = async (over = {}) => {
			const [used = NaN] = await world().rateLimits.record([use(over)]);
			return used;
		};
		test("requests of all processes add up, and stop counting at the rate of the limit", async () => {
			const { advance } = world();
			expect(await recorded({ count: 4 })).toBeCloseTo(4);
			expect(await recorded({ count: 5 })).toBeCloseTo(9);
			await advance(.5);
			expect(await recorded()).toBeCloseTo(5);
			await advance(10);
			expect(await recorded({ count: 3 })).toBeCloseTo(3);
		});
		test("each key has an allowance of its own, and the answers come in the order of the uses", async () => {
			const { rateLimits } = world();
			const uses = [
				"writes:b",
				"keys:192.0.2.1",
				"reads:a",
				"writes:a"
			].map((key, at) => use({
				key,
				count: at + 1,
				perSecond: 20
			}));
			expect((await rateLimits.record(uses)).map(Math.round)).toEqual([
				1,
				2,
				3,
				4
			]);
			expect((await rateLimits.record(uses.toReversed())).map(Math.round)).toEqual([
				8,
				6,
				4,
				2
			]);
			expect(await rateLimits.record([])).toEqual([]);
		});
		test("requests of some time ago count only as far as the rate has not made up for them", async () => {
			expect(await recorded({
				count: 4,
				ageMs: 100
			})).toBeCloseTo(3);
			expect(await recorded({
				key: "reads:a",
				count: 4,
				ageMs: 900
			})).toBe(0);
		});
		test("at most twice the limit counts, so that nobody is refused for long", async () => {
			const { advance } = world();
			expect(await recorded({ count: 1e3 })).toBeCloseTo(20);
			expect(await recorded({ count: 1e3 })).toBeCloseTo(20);
			await advance(2);
			expect(await recorded()).toBeCloseTo(1);
		});
		test("keys are forgotten once their allowance has been whole for a minute", async () => {
			const { rateLimits, advance } = world();
			await recorded({ key: "writes:first" });
			await advance(50);
			await recorded({ key: "writes:second" });
			expect(await rateLimits.forget()).toBe(0);
			await advance(20);
			expect(await rateLimits.forget()).toBe(1);
			expect(await rateLimits.forget()).toBe(0);
		});
		test("concurrent records of many keys, in any order, are all counted", async () => {
			const { rateLimits } = world();
			const keys = Array.from({ length: 20 }, (_, at) => `writes:${at}`);
			const orders = fc.sample(fc.shuffledSubarray(keys, { minLength: 20 }), 12);
			const usesOf = (order) => order.map((key) => use({
				key,
				count: 1e5,
				perSecond: 1e6
			}));
			await Promise.all(orders.map((order) => rateLimits.record(usesOf(order))));
			const used = await rateLimits.record(usesOf(keys));
			expect(used).toHaveLength(20);
			for (const count of used) expect(count).toBeCloseTo(13e5, -5);
		});
	});
}
// packages/contracts/src/stores/proposal/proposal-store.contract.ts
const depositId = "dep_00000000000000000000000001";
/** One action of each kind, so that a store that lacks a new one fails. */
const actions = {
	adjust_wallet: {
		type: "adjust_wallet",
		tenantId: "ten_00000000000000000000000001",
		direction: "out",
		amount: usdt(2n ** 63n - 1n)
	},
	credit_deposit: {
		type: "credit_deposit",
		depositId,
		amount: usdt(500000n)
	},
	close_deposit: {
		type: "close_deposit",
		depositId,
		amount: usdt(2n ** 255n)
	},
	settle_payout: {
		type: "settle_payout",
		payoutId: "po_00000000000000000000000001",
		outcome: "failed",
		paid: bob(9900n),
		networkPaymentId: "np-ñ"
	},
	issue_operator_token: {
		type: "issue_operator_token",
		tokenId: "opt_00000000000000000000000001",
		person: "carla",
		label: "laptop ñ",
		role: "operator",
		fingerprint: "5e".repeat(8),
		expiresAt: /* @__PURE__ */ new Date("2026-08-01T00:00:00.000Z")
	},
	issue_api_key: {
		type: "issue_api_key",
		keyId: "key_00000000000000000000000001",
		name: "caja ñ",
		lastFour: "c0de",
		scopes: ["payouts:write", "payouts:read"],
		expiresAt: /* @__PURE__ */ new Date("2026-08-01T00:00:00.000Z"),
		replaces: null,
		allowedAddresses: ["192.0.2.1", "2001:db8::/32"]
	},
	change_limits: {
		type: "change_limits",
		tenantId: "ten_00000000000000000000000001",
		limits: {
			paymentCap: bob(9000000n),
			amount: null,
			count: 7
		}
	}
};
const after$1 = (seconds) => new Date(someInstant.getTime() + seconds * 1e3);
/** The contract of a `ProposalStore`. The stores of wallets and deposits prove the execution. */
function proposalStoreContract(name, open) {
	describe(`proposal store in ${name}`, () => {
		const world = useWorld(open, "each");
		test.each(proposalActionTypes)("stores %s as it is, with an audit entry", async (type) => {
			const w = world();
			const about = {
				...approverOf(actions[type]) === "admin" && { proposedBy: "ben" },
				...type === "issue_operator_token" && { tenantId: null }
			};
			const evidence = {
				note: "carta de la red",
				digest: "b".repeat(64)
			};
			const proposal = await stored(w, {
				action: actions[type],
				evidence,
				...about
			});
			expect(await w.proposals.find(proposal.id)).toEqual(proposal);
			expect(await auditOf(w, proposal)).toEqual([auditProposal(proposal)]);
			expect(await auditOf(w, proposal)).toMatchObject([{ tenantId: proposal.tenantId }]);
		});
		test("stores evidence, and a proposal that one person may decide", async () => {
			const w = world();
			const evidence = {
				note: "carta de la dueña 💸",
				digest: "a".repeat(64)
			};
			const approval = {
				at: someInstant,
				by: null
			};
			const alone = {
				...await draft(w),
				evidence,
				status: "approved",
				approval
			};
			await insert$1(w, alone);
			expect(await w.proposals.find(alone.id)).toEqual(alone);
			expect(await auditOf(w, alone)).toEqual([auditProposal(alone)]);
		});
		test("finds no unknown proposal", async () => {
			expect(await world().proposals.find("prp_00000000000000000000000000")).toBeUndefined();
		});
		test("stores each step with its audit entry", async () => {
			const w = world();
			const steps = [async () => approved(await stored(w)), async () => step(withdrawProposal$1(await stored(w), {
				by: "ben",
				isAdmin: true
			}, after$1(1)))];
			for (const make of steps) {
				const proposal = await make();
				expect(await commit(w, proposal)).toBe("committed");
				expect(await w.proposals.find(proposal.id)).toEqual(proposal);
				expect((await auditOf(w, proposal))[0]).toEqual(auditProposalStep(proposal));
			}
			const first = approved(await stored(w));
			await commit(w, first);
			const failed = failProposal$1(first, "INSUFFICIENT_BALANCE", after$1(2));
			expect(await w.proposals.fail(failed)).toBe("committed");
			expect(await w.proposals.find(first.id)).toEqual(failed);
			expect(await auditOf(w, first)).toEqual([
				auditProposalStep(failed),
				auditProposalStep(first),
				auditProposal({
					...first,
					status: "open"
				})
			]);
		});
		test("a step from another state is stale, and writes nothing", async () => {
			const w = world();
			const opened = await stored(w);
			const withdrawn = step(withdrawProposal$1(opened, {
				by: "ana",
				isAdmin: false
			}, after$1(1)));
			const failed = failProposal$1(approved(opened), "INSUFFICIENT_BALANCE", after$1(2));
			expect(await w.proposals.fail(failed)).toBe("stale");
			await commit(w, withdrawn);
			for (const next of [approved(opened), withdrawn]) expect(await commit(w, next)).toBe("stale");
			expect(await w.proposals.fail(failed)).toBe("stale");
			expect(await w.proposals.find(opened.id)).toEqual(withdrawn);
			const unknown = {
				...approved(opened),
				id: "prp_00000000000000000000000000"
			};
			expect(await commit(w, unknown)).toBe("stale");
			expect(await auditOf(w, opened)).toHaveLength(2);
		});
		test("the proposer is refused as the approver, and so is nobody", async () => {
			const w = world();
			const opened = await stored(w);
			for (const by of [opened.proposedBy, null]) {
				const approval = {
					at: after$1(1),
					by
				};
				const alone = {
					...opened,
					status: "approved",
					approval
				};
				await expect(w.proposals.commit(alone, tokenHashOf("ana"))).rejects.toThrow();
			}
			expect(await w.proposals.find(opened.id)).toEqual(opened);
		});
		test("an expired proposal changes no more", async () => {
			const w = world();
			const opened = await stored(w, { expiresAt: after$1(10) });
			const approval = {
				at: after$1(10),
				by: "eva"
			};
			expect(await commit(w, {
				...opened,
				status: "approved",
				approval
			})).toBe("stale");
			const withdrawal = {
				at: after$1(10),
				by: "ana"
			};
			expect(await commit(w, {
				...opened,
				status: "withdrawn",
				withdrawal
			})).toBe("stale");
			expect(await w.proposals.find(opened.id)).toEqual(opened);
		});
		test("exactly one of 12 concurrent approvals and withdrawals commits", async () => {
			const w = world();
			const opened = await stored(w);
			const withdrawn = step(withdrawProposal$1(opened, {
				by: "ana",
				isAdmin: false
			}, after$1(1)));
			const results = await Promise.all(Array.from({ length: 12 }, (_, n) => commit(w, n % 2 === 0 ? approved(opened, n % 4 === 0 ? "eva" : "ben") : withdrawn)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(await auditOf(w, opened)).toHaveLength(2);
		});
		test("lists newest first, by state, tenant, action and subject, in pages", async () => {
			const w = world();
			const [one, other] = [await w.newTenant(), await w.newTenant()];
			const expiring = await stored(w, {
				tenantId: one.id,
				expiresAt: after$1(10)
			});
			const waiting = await stored(w, {
				tenantId: one.id,
				createdAt: after$1(1)
			});
			const credit = await stored(w, {
				tenantId: other.id,
				action: actions.credit_deposit,
				createdAt: after$1(2)
			});
			const agreed = approved(await stored(w, {
				tenantId: other.id,
				createdAt: after$1(3)
			}));
			await commit(w, agreed);
			const ids = async (filter) => {
				const query = {
					limit: 10,
					now: after$1(100),
					...filter
				};
				return (await w.proposals.list(query)).items.map(({ id }) => id);
			};
			expect(await ids({})).toEqual([
				agreed,
				credit,
				waiting,
				expiring
			].map(({ id }) => id));
			expect(await ids({ tenantId: one.id })).toEqual([waiting.id, expiring.id]);
			expect(await ids({ status: "open" })).toEqual([credit.id, waiting.id]);
			expect(await ids({ status: "expired" })).toEqual([expiring.id]);
			expect(await ids({
				status: "expired",
				now: after$1(9)
			})).toEqual([]);
			expect(await ids({ status: "approved" })).toEqual([agreed.id]);
			expect(await ids({ action: "credit_deposit" })).toEqual([credit.id]);
			expect(await ids({
				tenantId: other.id,
				status: "open"
			})).toEqual([credit.id]);
			const { subject } = storedAction(credit.action);
			expect(await ids({ subject })).toEqual([credit.id]);
			expect(await ids({
				subject,
				tenantId: other.id,
				status: "open"
			})).toEqual([credit.id]);
			expect(await ids({
				subject,
				tenantId: one.id
			})).toEqual([]);
			expect(await ids({
				subject,
				status: "executed"
			})).toEqual([]);
			const first = await w.proposals.list({
				limit: 3,
				now: after$1(100)
			});
			const rest = {
				limit: 3,
				now: after$1(100),
				...first.next && { after: first.next }
			};
			expect((await w.proposals.list(rest)).items).toEqual([expiring]);
			expect((await w.proposals.list(rest)).next).toBeNull();
		});
	});
}
async function draft(w, over = {}) {
	const tenantId = over.tenantId === void 0 ? (await w.newTenant()).id : over.tenantId;
	const author = {
		id: w.ids.next("prp", someInstant),
		tenantId,
		actor: over.proposedBy ?? "ana",
		reason: "corrección ñ"
	};
	const action = actions.adjust_wallet;
	return {
		...openProposalOf(author, action),
		...over
	};
}
function insert$1(w, proposal) {
	const { action, status, createdAt, proposedBy: createdBy } = proposal;
	if (action.type === "issue_api_key" && status === "open") {
		const key = {
			...newKey(w, proposal.tenantId ?? ""),
			...action,
			id: action.keyId,
			createdAt
		};
		return w.apiKeys.propose(key, proposal, tokenHashOf(createdBy));
	}
	if (action.type !== "issue_operator_token" || status === "approved") return w.proposals.insert(proposal, tokenHashOf(createdBy));
	const { tokenId: id, fingerprint, ...request } = action;
	const hash = fingerprint.repeat(4);
	const token = newOperatorToken({
		...request,
		hash
	}, {
		id,
		createdAt,
		createdBy,
		activatedAt: null
	});
	return w.operatorTokens.propose({
		token,
		hash
	}, proposal, tokenHashOf(createdBy));
}
/** Commits the step with the token of the person who took it. */
function commit(w, proposal) {
	const by = proposal.status === "approved" ? proposal.approval.by : proposal.withdrawal.by;
	return w.proposals.commit(proposal, tokenHashOf(by ?? "nobody"));
}
async function stored(w, over = {}) {
	const proposal = await draft(w, over);
	expect(await insert$1(w, proposal)).toBe("committed");
	return proposal;
}
const approved = (proposal, by = "eva") => step(approveProposal$1(proposal, by, after$1(5)));
function step(result) {
	if (typeof result === "string") throw new Error(result);
	return result;
}
const auditOf = ({ audit }, { id }) => auditEntries(audit, {
	subject: id,
	limit: 10
});
// packages/contracts/src/fixtures/payout/payout-arbitraries.ts
const anyMerchant = fc.record({
	name: anyText,
	bankCode: fc.stringMatching(/^[0-9]{1,10}$/)
});
/** A closed QR has an amount, an open one has none. */
const anyModeAndAmount = fc.oneof(fc.record({
	amountMode: fc.constant("closed"),
	amount: anyBob
}), fc.record({
	amountMode: fc.constant("open"),
	amount: fc.constant(null)
}));
const anyReading = fc.record({
	networkRef: fc.stringMatching(/^[0-9]{18,20}$/),
	merchant: anyMerchant,
	description: fc.option(anyText),
	expiresAt: fc.option(anyInstant),
	mode: anyModeAndAmount
}).map(({ mode, ...reading }) => ({
	...reading,
	...mode
}));
anyReading.map((reading) => ({
	type: "read",
	...reading
}));
/** A resolution of this tenant. */
const anyResolution = (tenantId) => fc.record({
	id: anyId("qrr"),
	reading: anyReading,
	content: anyText,
	createdAt: anyInstant
}).map(({ id, reading, content, createdAt }) => ({
	...reading,
	id,
	tenantId,
	contentHash: sha256(content),
	createdAt
}));
/** A price within the ledger's maximum, at this pricing. */
const anyPrice = (pricing) => fc.record({
	target: anyBob,
	bid: anyRate
}).map(({ target, bid }) => ({
	bid,
	priced: quotePrice(target, bid, pricing)
})).filter(({ priced }) => typeof priced === "object").map(({ bid, priced }) => ({
	...priced,
	bid
}));
/** A quote of this tenant before the store dates it. */
const anyQuoteDraft = ({ id: tenantId, pricing }, resolutionId = null) => fc.record({
	id: anyUuid,
	price: anyPrice(pricing),
	rateSource: anyText
}).map(({ price, ...quote }) => ({
	...quote,
	...price,
	tenantId,
	resolutionId
}));
const anyQuote = fc.record({
	id: anyId("ten"),
	pricing: anyPricing.map((pricing) => ({
		...pricing,
		feeFixed: usdt(0n)
	})),
	createdAt: anyInstant,
	lifeSeconds: fc.integer({
		min: 15,
		max: 300
	})
}).chain(({ createdAt, lifeSeconds, ...tenant }) => anyQuoteDraft(tenant).map((draft) => ({
	...draft,
	createdAt,
	expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1e3)
})));
const anyPayoutQr = fc.record({
	amountMode: fc.constantFrom("open", "closed"),
	merchant: anyMerchant
});
/** A payout's draft at this quote. */
const anyDraft = (quote) => fc.record({
	id: anyId("po"),
	tenantId: fc.constant(quote.tenantId),
	transactionId: anyTransactionId,
	quoteId: fc.constant(quote.id),
	resolutionId: fc.constant(quote.resolutionId),
	target: fc.constant(quote.target),
	createdAt: anyInstant
});
anyQuote.chain((quote) => fc.record({
	draft: anyDraft(quote),
	qr: anyPayoutQr,
	networkRef: fc.stringMatching(/^[0-9]{18}$/)
}).map(({ draft, ...applied }) => ({
	...draft,
	...applied,
	quote,
	status: "processing"
})));
fc.constantFrom("connection refused", "HTTP 502", "not JSON");
fc.constantFrom(...Object.keys(payoutMessages));
const utf8 = (bytes) => anyText.filter((text) => new TextEncoder().encode(text).length <= bytes);
fc.record({
	mode: fc.oneof(fc.record({
		amountMode: fc.constant("closed"),
		amount: fc.bigInt({
			min: 1n,
			max: 5000000n
		}).map(bob)
	}), fc.record({
		amountMode: fc.constant("open"),
		amount: fc.constant(null)
	})),
	merchantName: fc.option(utf8(40)),
	description: fc.option(utf8(60)),
	scenario: fc.constantFrom(...sandboxScenarios)
}).map(({ mode, ...request }) => ({
	...request,
	...mode
}));
// packages/contracts/src/stores/quote/quote-store.contract.ts
/** The contract of a `QuoteStore`. `payoutStoreContract` proves that a payout uses its quote. */
function quoteStoreContract(name, open, { runs = 50 } = {}) {
	describe(`quote store in ${name}`, () => {
		const world = useWorld(open);
		test("reads back every quote as inserted, in whole milliseconds", async () => {
			const w = world();
			const pricing = {
				marginBps: 333,
				feeBps: 77,
				feeFixed: usdt(250000n),
				paymentCap: bob(1n)
			};
			const tenant = await w.newTenant({ pricing });
			const { id: tenantId } = tenant;
			const { id: resolutionId } = await w.newResolution(tenantId);
			const draft = fc.constantFrom(null, resolutionId).chain((id) => anyQuoteDraft(tenant, id));
			const lifeSeconds = fc.integer({
				min: 15,
				max: 300
			});
			await fc.assert(fc.asyncProperty(draft, lifeSeconds, async (draft, lifeSeconds) => {
				const quote = await w.quotes.insert(draft, lifeSeconds);
				const { createdAt, expiresAt, ...rest } = quote;
				expect(rest).toEqual(draft);
				expect(expiresAt.getTime() - createdAt.getTime()).toBe(lifeSeconds * 1e3);
				expect(Number.isInteger(createdAt.getTime())).toBe(true);
				const view = await w.quotes.find(tenantId, quote.id);
				expect(view).toEqual({
					quote,
					status: "open",
					payoutId: null
				});
			}), { numRuns: runs });
		});
		test("dates and expires quotes by the store’s clock", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const first = await w.newQuote(tenantId, { lifeSeconds: 300 });
			await w.advance(200);
			const second = await w.newQuote(tenantId, { lifeSeconds: 300 });
			const apart = second.createdAt.getTime() - first.createdAt.getTime();
			expect(apart).toBeGreaterThanOrEqual(2e5);
			expect((await w.quotes.find(tenantId, first.id))?.status).toBe("open");
			await w.advance(110);
			expect((await w.quotes.find(tenantId, first.id))?.status).toBe("expired");
			expect((await w.quotes.find(tenantId, second.id))?.status).toBe("open");
		});
		test("a used quote stays used after its expiry", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId, {
				source: usdt(10n),
				lifeSeconds: 100
			});
			const { id: payoutId } = await w.newPayout(quote);
			await w.advance(200);
			expect(await w.quotes.find(tenantId, quote.id)).toEqual({
				quote,
				status: "used",
				payoutId
			});
		});
		test("finds neither another tenant’s quote nor an unknown one", async () => {
			const w = world();
			const [owner, otherTenant] = [await w.newWallet(usdt(0n)), await w.newWallet(usdt(0n))];
			const quote = await w.newQuote(owner);
			expect(await w.quotes.find(otherTenant, quote.id)).toBeUndefined();
			expect(await w.quotes.find(owner, w.ids.uuid(someInstant))).toBeUndefined();
		});
	});
}
// packages/contracts/src/stores/reconciliation/compared-records.contract.ts
const later$1 = (ms) => new Date(laterInstant.getTime() + ms);
function comparedRecordsTests(open) {
	describe("payments", () => {
		const world = useWorld(open, "each");
		test("are found by reference in every state, of any tenant", async () => {
			const w = world();
			const [one, other] = [await w.newWallet(usdt(1000n)), await w.newWallet(usdt(1000n))];
			const processing = await payout(w, one);
			const completed = await paid(w, one, later$1(0));
			const failing = await payout(w, other);
			const failed = w.settleCommit(failing, { type: "refused_payment" }, { at: later$1(1) });
			await w.payouts.commit(failed);
			const ended = w.insertEndedCommit(await quoteOf(w, other), { at: later$1(2) });
			await w.payouts.commit(ended);
			const all = [
				processing,
				completed,
				failed.step.payout,
				ended.step.payout
			];
			const references = [
				...all.map(({ id }) => id),
				"po_unknown",
				"ñ 💸",
				""
			];
			const found = await w.reconciliations.findPayments(references);
			expect(sorted(found)).toEqual(sorted(all.map(recordOf)));
			expect(await w.reconciliations.findPayments(["po_unknown"])).toEqual([]);
			expect(await w.reconciliations.findPayments([])).toEqual([]);
		});
		test("completed in a period are read whole, of all tenants", async () => {
			const w = world();
			const tenants = [await w.newWallet(usdt(1000n)), await w.newWallet(usdt(1000n))];
			const within = [];
			for (const tenantId of tenants) {
				await paid(w, tenantId, later$1(-1));
				for (const ms of [
					0,
					5,
					5,
					9
				]) within.push(await paid(w, tenantId, later$1(ms)));
				const failing = await payout(w, tenantId);
				const write = w.settleCommit(failing, { type: "refused_qr" }, { at: later$1(9) });
				await w.payouts.commit(write);
				await paid(w, tenantId, later$1(10));
				await payout(w, tenantId);
			}
			const period = {
				from: later$1(0),
				to: later$1(10)
			};
			expect(sorted(await completedIn(w, period))).toEqual(sorted(within.map(recordOf)));
			expect(await completedIn(w, {
				from: later$1(11),
				to: later$1(20)
			})).toEqual([]);
		});
	});
	describe("received funds", () => {
		const world = useWorld(open, "each");
		test("of an address are its confirmed transfers, in any state, up to a block", async () => {
			const w = world();
			const one = await depositBuilders(w);
			await one.credited({
				value: 5000000n,
				block: 101
			});
			await one.inReview({
				value: 7000000n,
				block: 102
			});
			const other = await buildersOfAnotherTenant(w, one);
			await other.credited({
				value: 17000000n,
				block: 106
			});
			await one.due({
				value: 2n ** 256n - 1n,
				block: 103
			});
			await one.gone({
				value: 11000000n,
				block: 104
			});
			await one.pending({
				value: 13000000n,
				block: 105
			});
			const funds = (block) => w.reconciliations.addressFunds("tron", 0, 10, block);
			expect(await funds(102)).toEqual([{
				...addressOf(one.topUp),
				received: 12000000n + 2n ** 256n - 1n,
				receivedThrough: 12000000n
			}, {
				...addressOf(other.topUp),
				received: 17000000n,
				receivedThrough: 0n
			}]);
			expect((await funds(101))[0]).toMatchObject({ receivedThrough: 5000000n });
		});
		test("are read by index, retired addresses included", async () => {
			const w = world();
			const tenantId = (await w.newTenant()).id;
			const made = [];
			for (let n = 0; n < 4; n++) {
				made.push(await newTopUp(w, tenantId));
				await w.addresses.retire(tenantId, "tron", {
					actor: "ana",
					at: laterInstant
				});
			}
			const read = (index, limit) => w.reconciliations.addressFunds("tron", index, limit, 9);
			const none = {
				received: 0n,
				receivedThrough: 0n
			};
			const [first, second, third, fourth] = made.map((each) => ({
				...addressOf(each),
				...none
			}));
			expect(await read(0, 2)).toEqual([first, second]);
			expect(await read((second?.index ?? 0) + 1, 10)).toEqual([third, fourth]);
			expect(await read(1e3, 10)).toEqual([]);
		});
	});
}
const addressOf = ({ tenantId, index, account, address }) => ({
	tenantId,
	index,
	account,
	address
});
const quoteOf = (w, tenantId) => w.newQuote(tenantId, {
	source: usdt(30n),
	target: bob(5000n)
});
const payout = async (w, tenantId) => w.newPayout(await quoteOf(w, tenantId));
async function paid(w, tenantId, at) {
	const processing = await payout(w, tenantId);
	const write = w.settleCommit(processing, paidAnswer(processing), { at });
	expect(await w.payouts.commit(write)).toBe("committed");
	return write.step.payout;
}
async function completedIn({ reconciliations }, period) {
	const all = [];
	for await (const page of reconciliations.completedPayments(period)) all.push(...page);
	return all;
}
const recordOf = (payout) => ({
	payoutId: payout.id,
	tenantId: payout.tenantId,
	status: payout.status,
	target: payout.target,
	createdAt: payout.createdAt,
	endedAt: "endedAt" in payout ? payout.endedAt : null,
	networkPaymentId: payout.status === "completed" ? payout.networkPaymentId : null
});
const sorted = (records) => records.toSorted((a, b) => a.payoutId < b.payoutId ? -1 : 1);
// packages/contracts/src/stores/reconciliation/reconciliation-store.contract.ts
const hourMs = 36e5;
const from = /* @__PURE__ */ new Date("2026-03-03T00:00:00.000Z");
const after = (hours) => new Date(from.getTime() + hours * hourMs);
/** The contract of a `ReconciliationStore`. */
function reconciliationStoreContract(name, open) {
	describe(`reconciliation store in ${name}`, () => {
		describe("runs", () => {
			runTests(open);
		});
		comparedRecordsTests(open);
	});
}
function runTests(open) {
	const world = useWorld(open, "each");
	test("a requested run is stored as it is, with its audit entry", async () => {
		const w = world();
		const runs = [requested(w), {
			...requested(w),
			check: "chain",
			period: null,
			position: 0
		}];
		for (const run of runs) {
			expect(await w.reconciliations.open(run)).toBe("opened");
			expect(await w.reconciliations.find(run.id)).toEqual({
				...run,
				...nothingYet
			});
			expect(await auditEntries(w.audit, {
				subject: run.id,
				limit: 10
			})).toEqual([reconciliationRequested(run)]);
		}
		expect(await w.reconciliations.find("rcn_00000000000000000000000000")).toBeUndefined();
	});
	test("a day has one scheduled run of each check, without an audit entry", async () => {
		const w = world();
		const run = scheduled(w, "2026-03-03");
		const opened = await Promise.all(Array.from({ length: 8 }, () => w.reconciliations.open({
			...run,
			id: newId(w)
		})));
		expect(opened.filter((result) => result === "opened")).toHaveLength(1);
		const chain = {
			...run,
			id: newId(w),
			check: "chain",
			period: null,
			position: 0
		};
		expect(await w.reconciliations.open(chain)).toBe("opened");
		expect(await w.reconciliations.open(scheduled(w, "2026-03-02"))).toBe("opened");
		expect(await w.reconciliations.open(requested(w))).toBe("opened");
		expect(await w.reconciliations.lastScheduled("network")).toMatchObject({
			scheduledFor: "2026-03-03",
			requestedBy: null
		});
		expect(await w.reconciliations.lastScheduled("chain")).toEqual({
			...chain,
			...nothingYet
		});
		expect(await auditEntries(w.audit, {
			subject: chain.id,
			limit: 10
		})).toEqual([]);
	});
	test("no check has a last scheduled run before its first", async () => {
		expect(await world().reconciliations.lastScheduled("network")).toBeUndefined();
	});
	test("claims the oldest run of the checks, once until its lease ends", async () => {
		const w = world();
		const newer = {
			...requested(w),
			createdAt: after(2)
		};
		const older = {
			...requested(w),
			createdAt: after(1)
		};
		await w.reconciliations.open(newer);
		await w.reconciliations.open(older);
		expect(await w.reconciliations.claimDue(["chain"], 60)).toBeUndefined();
		const ids = (await Promise.all(Array.from({ length: 6 }, () => w.reconciliations.claimDue(["network", "chain"], 60)))).flatMap((claimed) => claimed?.run.id ?? []);
		expect(ids.toSorted()).toEqual([newer.id, older.id].toSorted());
		await w.advance(61);
		const again = await w.reconciliations.claimDue(["network"], 60);
		expect(again).toEqual({
			claim: {
				id: older.id,
				fencingToken: 2
			},
			run: {
				...older,
				...nothingYet
			}
		});
	});
	test("a slice is recorded by the newest claim alone, and the next claim continues after it", async () => {
		const w = world();
		const run = requested(w);
		await w.reconciliations.open(run);
		const lost = await claimed$1(w);
		await w.advance(61);
		const { claim } = await claimed$1(w);
		const first = {
			position: after(1).getTime(),
			compared: 2 ** 40,
			differences: 3,
			isLast: false
		};
		expect(await w.reconciliations.advance(lost.claim, first, someInstant)).toBe(false);
		expect(await w.reconciliations.yieldClaim(lost.claim, "gone", 0)).toBe(false);
		expect(await w.reconciliations.advance(claim, first, someInstant)).toBe(true);
		const next = await claimed$1(w);
		expect(next.run).toEqual({
			...run,
			position: first.position,
			slices: 1,
			compared: 2 ** 40,
			differences: 3,
			completedAt: null,
			failure: null
		});
		const last = {
			position: after(24).getTime(),
			compared: 1,
			differences: 0,
			isLast: true
		};
		expect(await w.reconciliations.advance(next.claim, last, someInstant)).toBe(true);
		expect(await w.reconciliations.find(run.id)).toMatchObject({
			position: last.position,
			slices: 2,
			compared: 2 ** 40 + 1,
			completedAt: someInstant
		});
		expect(await w.reconciliations.claimDue(["network"], 60)).toBeUndefined();
		expect(await w.reconciliations.advance(next.claim, last, someInstant)).toBe(false);
	});
	test("a failed slice is due again after its pause, and its failure is shown until one succeeds", async () => {
		const w = world();
		await w.reconciliations.open(requested(w));
		const { claim, run } = await claimed$1(w);
		expect(await w.reconciliations.yieldClaim(claim, "the network is down", 30)).toBe(true);
		expect(await w.reconciliations.find(run.id)).toMatchObject({ failure: "the network is down" });
		await w.advance(29);
		expect(await w.reconciliations.claimDue(["network"], 60)).toBeUndefined();
		await w.advance(2);
		const again = await claimed$1(w);
		const slice = {
			position: run.position + 1,
			compared: 0,
			differences: 0,
			isLast: false
		};
		await w.reconciliations.advance(again.claim, slice, someInstant);
		expect(await w.reconciliations.find(run.id)).toMatchObject({ failure: null });
	});
	test("lists newest first, by check and state, in pages", async () => {
		const w = world();
		const runs = [
			1,
			2,
			3
		].map((hours) => ({
			...requested(w),
			createdAt: after(hours)
		}));
		const chain = {
			...requested(w),
			check: "chain",
			period: null,
			position: 0
		};
		for (const run of [...runs, {
			...chain,
			createdAt: after(4)
		}]) await w.reconciliations.open(run);
		const { claim } = await claimed$1(w);
		const last = {
			position: after(24).getTime(),
			compared: 1,
			differences: 0,
			isLast: true
		};
		await w.reconciliations.advance(claim, last, someInstant);
		const [one, two, three] = runs.map(({ id }) => id);
		const ids = async (filter) => (await w.reconciliations.list({
			limit: 10,
			...filter
		})).items.map(({ id }) => id);
		expect(await ids({})).toEqual([
			chain.id,
			three,
			two,
			one
		]);
		expect(await ids({ check: "network" })).toEqual([
			three,
			two,
			one
		]);
		expect(await ids({ isCompleted: true })).toEqual([one]);
		expect(await ids({
			check: "network",
			isCompleted: false
		})).toEqual([three, two]);
		const first = await w.reconciliations.list({ limit: 3 });
		expect(await ids({ ...first.next && { after: first.next } })).toEqual([one]);
	});
}
const nothingYet = {
	slices: 0,
	compared: 0,
	differences: 0,
	completedAt: null,
	failure: null
};
const newId = ({ ids }) => ids.next("rcn", someInstant);
const requested = (w) => ({
	id: newId(w),
	check: "network",
	period: {
		from,
		to: after(24)
	},
	scheduledFor: null,
	requestedBy: "ana",
	createdAt: after(25),
	position: from.getTime()
});
const scheduled = (w, day) => ({
	...requested(w),
	scheduledFor: day,
	requestedBy: null
});
async function claimed$1(w) {
	const found = await w.reconciliations.claimDue(["network"], 60);
	if (found === void 0) throw new Error("no run is due");
	return found;
}
// packages/contracts/src/stores/quote/quoting-store.contract.ts
const at$1 = /* @__PURE__ */ new Date("2026-03-04T05:06:07.089Z");
const pause = {
	by: "ana",
	at: at$1,
	reason: "Las fuentes se contradicen. 💸"
};
const resumption = {
	by: "bea",
	at: new Date(at$1.getTime() + 1e3),
	reason: null
};
/** The contract of a `QuotingStore`, and that a `QuoteStore` obeys it. */
function quotingStoreContract(name, open) {
	describe(`quoting store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("a pause and a resumption are each written once, with an audit entry", async () => {
			const w = world();
			expect(await w.quoting.get()).toEqual({
				status: "open",
				change: null
			});
			expect(await w.quoting.set("open", resumption)).toBe("stale");
			expect(await w.quoting.set("paused", pause)).toBe("committed");
			expect(await w.quoting.set("paused", {
				...pause,
				by: "bea"
			})).toBe("stale");
			expect(await w.quoting.get()).toEqual({
				status: "paused",
				change: pause
			});
			expect(await w.quoting.set("open", resumption)).toBe("committed");
			expect(await w.quoting.get()).toEqual({
				status: "open",
				change: resumption
			});
			expect(await auditEntries(w.audit, {
				subject: "quoting",
				limit: 9
			})).toEqual([auditQuoting("open", resumption), auditQuoting("paused", pause)]);
		});
		test("of concurrent pauses one is written", async () => {
			const w = world();
			const results = await Promise.all([
				"ana",
				"bea",
				"caro"
			].map((by) => w.quoting.set("paused", {
				...pause,
				by
			})));
			expect(results.toSorted()).toEqual([
				"committed",
				"stale",
				"stale"
			]);
			expect(await auditEntries(w.audit, {
				subject: "quoting",
				limit: 9
			})).toHaveLength(1);
		});
		test("while it is paused no quote is inserted, and those that exist can be paid", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100n));
			const quote = await w.newQuote(tenantId, { source: usdt(10n) });
			await w.quoting.set("paused", pause);
			expect(await w.backlog.read()).toMatchObject({ isQuotingPaused: true });
			const refused = w.newQuote(tenantId, { source: usdt(10n) });
			await expect(refused).rejects.toThrow(Unavailable);
			await expect(refused).rejects.toMatchObject({ dependency: "rate_source" });
			const { id: payoutId } = await w.newPayout(quote);
			expect(await w.quotes.find(tenantId, quote.id)).toMatchObject({
				status: "used",
				payoutId
			});
			await w.quoting.set("open", resumption);
			await w.newQuote(tenantId, { source: usdt(10n) });
		});
	});
}
// packages/contracts/src/stores/quote/resolution-store.contract.ts
/** The contract of a `ResolutionStore`. */
function resolutionStoreContract(name, open, { runs = 50 } = {}) {
	describe(`resolution store in ${name}`, () => {
		const world = useWorld(open);
		test("reads back every resolution as inserted", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			await fc.assert(fc.asyncProperty(anyResolution(tenantId), async (resolution) => {
				await w.resolutions.insert(resolution);
				expect(await w.resolutions.find(tenantId, resolution.id)).toEqual(resolution);
			}), { numRuns: runs });
		});
		test("finds neither another tenant’s resolution nor an unknown one", async () => {
			const w = world();
			const [{ id: owner }, { id: otherTenant }] = [await w.newTenant(), await w.newTenant()];
			const { id } = await w.newResolution(owner);
			expect(await w.resolutions.find(otherTenant, id)).toBeUndefined();
			expect(await w.resolutions.find(owner, w.ids.next("qrr", someInstant))).toBeUndefined();
		});
	});
}
// packages/contracts/src/stores/deposit/advance-scan.contract.ts
function advanceScanTests(open) {
	describe("the position of a scan", () => {
		const world = useWorld(open, "each");
		const blocks = (from, to, branch) => Array.from({ length: to - from + 1 }, (_, n) => blockRef(from + n, branch));
		const views = ["head", "solid"];
		test("moves with every write, and is where the next claim continues", async () => {
			const w = world();
			for (const view of views) {
				const { claim, scan } = await scanner(w, view);
				await scan();
				await scan({ blocks: blocks(101, 105) });
				expect(await w.scans.at("tron", view)).toEqual(blockRef(105));
				await w.scans.yieldClaim(claim);
				expect((await w.scans.claim("tron", view, 100))?.at).toEqual(blockRef(105));
			}
		});
		test("each view has its own position", async () => {
			const w = world();
			const [head, solid] = [await scanner(w, "head"), await scanner(w, "solid")];
			await head.scan({ blocks: blocks(100, 120) });
			await solid.scan();
			expect(await w.scans.at("tron", "head")).toEqual(blockRef(120));
			expect(await w.scans.at("tron", "solid")).toEqual(blockRef(100));
		});
		test.each([
			["no block at all", void 0],
			["an older block", blockRef(100)],
			["a newer block", blockRef(103)],
			["another block of this number", blockRef(102, "fork")]
		])("a write that continues from %s is stale", async (_, from) => {
			const w = world();
			const topUp = await newTopUp(w, (await w.newTenant()).id);
			for (const view of views) {
				const { claim, scan } = await scanner(w, view);
				await scan({ blocks: blocks(100, 102) });
				const write = {
					from,
					blocks: [blockRef(104)],
					observedTransfers: [newObservedTransfer(w, topUp)],
					gone: []
				};
				expect(await w.scans.advance(claim, write)).toEqual({ type: "stale" });
				expect(await w.scans.at("tron", view)).toEqual(blockRef(102));
			}
			expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([]);
		});
		test("concurrent repeats of a write commit once", async () => {
			const w = world();
			const topUp = await newTopUp(w, (await w.newTenant()).id);
			for (const view of views) {
				const { claim, nextAdvance } = await scanner(w, view);
				const write = nextAdvance({ observedTransfers: [newObservedTransfer(w, topUp)] });
				const results = await Promise.all(Array.from({ length: 8 }, () => w.scans.advance(claim, write)));
				expect(results.filter(({ type }) => type === "committed")).toHaveLength(1);
			}
			expect((await w.deposits.listAll({ limit: 10 })).items).toHaveLength(2);
		});
		test("refsAbove lists the head’s blocks above a number, newest first, without solid ones", async () => {
			const w = world();
			const [head, solid] = [await scanner(w, "head"), await scanner(w, "solid")];
			await solid.scan({ blocks: blocks(90, 99) });
			await head.scan();
			await head.scan({ blocks: blocks(101, 104) });
			await head.scan();
			expect(await w.scans.refsAbove("tron", 99)).toEqual(blocks(100, 105).toReversed());
			expect(await w.scans.refsAbove("tron", 103)).toEqual(blocks(104, 105).toReversed());
			expect(await w.scans.refsAbove("tron", 105)).toEqual([]);
			await solid.scan({ blocks: blocks(100, 102) });
			expect(await w.scans.refsAbove("tron", 102)).toEqual(blocks(103, 105).toReversed());
		});
		test("rewind moves the head back to a scanned block and drops the blocks after it", async () => {
			const w = world();
			const { claim, scan } = await scanner(w, "head");
			await scan({ blocks: blocks(100, 105) });
			expect(await w.scans.rewind(claim, blockRef(105), blockRef(102))).toBe("committed");
			expect(await w.scans.at("tron", "head")).toEqual(blockRef(102));
			expect(await w.scans.refsAbove("tron", 99)).toEqual(blocks(100, 102).toReversed());
			await scan({
				from: blockRef(102),
				blocks: blocks(103, 104, "fork")
			});
			expect(await w.scans.refsAbove("tron", 101)).toEqual([
				blockRef(104, "fork"),
				blockRef(103, "fork"),
				blockRef(102)
			]);
		});
		test("rewind moves the head back or forward to the position of the solid scan", async () => {
			const w = world();
			const [head, solid] = [await scanner(w, "head"), await scanner(w, "solid")];
			await head.scan({ blocks: blocks(100, 105, "fork") });
			await solid.scan({ blocks: blocks(95, 103) });
			expect(await w.scans.rewind(head.claim, blockRef(105, "fork"), blockRef(103))).toBe("committed");
			expect(await w.scans.at("tron", "head")).toEqual(blockRef(103));
			expect(await w.scans.refsAbove("tron", 103)).toEqual([]);
			await solid.scan({ blocks: blocks(104, 130) });
			expect(await w.scans.rewind(head.claim, blockRef(103), blockRef(130))).toBe("committed");
			expect(await w.scans.at("tron", "head")).toEqual(blockRef(130));
			expect(await w.scans.refsAbove("tron", 130)).toEqual([]);
		});
		test("rewind from another position, or with a lost lease, is stale", async () => {
			const w = world();
			const old = await scanner(w, "head");
			await old.scan({ blocks: blocks(100, 105) });
			for (const from of [
				blockRef(104),
				blockRef(106),
				blockRef(105, "fork")
			]) expect(await w.scans.rewind(old.claim, from, blockRef(102))).toBe("stale");
			await w.advance(1000001);
			await scanner(w, "head");
			expect(await w.scans.rewind(old.claim, blockRef(105), blockRef(102))).toBe("stale");
			expect(await w.scans.at("tron", "head")).toEqual(blockRef(105));
			expect(await w.scans.refsAbove("tron", 104)).toEqual([blockRef(105)]);
		});
	});
}
// packages/contracts/src/stores/deposit/claim-scan.contract.ts
/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds$1 = 100;
function claimScanTests(open) {
	describe("the lease on a scan", () => {
		const world = useWorld(open, "each");
		const claim = async ({ scans }) => {
			const claimed = await scans.claim("tron", "solid", leaseSeconds$1);
			if (claimed === void 0) throw new Error("another worker has leased the scan");
			return claimed;
		};
		test("a new scan is claimed without a position", async () => {
			const w = world();
			expect(await w.scans.at("tron", "solid")).toBeUndefined();
			expect(await claim(w)).toMatchObject({
				claim: {
					chain: "tron",
					view: "solid"
				},
				at: void 0
			});
			expect(await w.scans.at("tron", "solid")).toBeUndefined();
		});
		test("a leased scan cannot be claimed; the other view can", async () => {
			const w = world();
			await claim(w);
			await w.advance(90);
			expect(await w.scans.claim("tron", "solid", leaseSeconds$1)).toBeUndefined();
			expect(await w.scans.claim("tron", "head", leaseSeconds$1)).toBeDefined();
		});
		test("after the lease another worker claims it, with a higher fencing token", async () => {
			const w = world();
			const first = await claim(w);
			await w.advance(101);
			expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken);
		});
		test("renew extends the lease from now", async () => {
			const w = world();
			const { claim: mine } = await claim(w);
			await w.advance(90);
			expect(await w.scans.renew(mine, leaseSeconds$1)).toBe(true);
			await w.advance(90);
			expect(await w.scans.claim("tron", "solid", leaseSeconds$1)).toBeUndefined();
			await w.advance(11);
			expect(await w.scans.claim("tron", "solid", leaseSeconds$1)).toBeDefined();
		});
		test("a yielded scan can be claimed at once, with a higher fencing token", async () => {
			const w = world();
			const first = await claim(w);
			await w.scans.yieldClaim(first.claim);
			expect((await claim(w)).claim.fencingToken).toBeGreaterThan(first.claim.fencingToken);
		});
		test("a lost claim can neither be renewed nor yield the scan of its new holder", async () => {
			const w = world();
			const { claim: old } = await claim(w);
			await w.advance(101);
			await claim(w);
			expect(await w.scans.renew(old, 1e3)).toBe(false);
			await w.scans.yieldClaim(old);
			expect(await w.scans.claim("tron", "solid", leaseSeconds$1)).toBeUndefined();
		});
		test("exactly one of 12 concurrent claims succeeds", async () => {
			const w = world();
			for (let round = 0; round < 3; round++) {
				const [got, ...others] = (await Promise.all(Array.from({ length: 12 }, () => w.scans.claim("tron", "head", leaseSeconds$1)))).filter((each) => each !== void 0);
				expect(others).toEqual([]);
				if (got) await w.scans.yieldClaim(got.claim);
			}
		});
		test("a lost claim writes nothing", async () => {
			const w = world();
			const topUp = await newTopUp(w, (await w.newTenant()).id);
			for (const view of ["head", "solid"]) {
				const old = await scanner(w, view);
				await old.scan();
				await w.advance(1000001);
				await scanner(w, view);
				const write = old.nextAdvance({ observedTransfers: [newObservedTransfer(w, topUp)] });
				expect(await w.scans.advance(old.claim, write)).toEqual({ type: "stale" });
				expect(await w.scans.at("tron", view)).toEqual(write.from);
			}
			expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([]);
		});
	});
}
// packages/contracts/src/stores/deposit/confirm-transfer.contract.ts
function confirmTransferTests(open) {
	describe("a transfer in a solid block", () => {
		const world = useWorld(open, "each");
		async function begin(w) {
			const tenantId = await w.newWallet(usdt(0n));
			const topUp = await newTopUp(w, tenantId);
			const [head, solid] = [await scanner(w, "head"), await scanner(w, "solid")];
			const txHash = hashOf("the transfer");
			const seen = (options = {}) => newObservedTransfer(w, topUp, {
				txHash,
				...options
			});
			const claimed = async () => (await w.deposits.claimDue(10, 100))[0];
			return {
				tenantId,
				topUp,
				head,
				solid,
				seen,
				claimed
			};
		}
		test("makes the deposit of the head due, without another event", async () => {
			const w = world();
			const { tenantId, topUp, head, solid, seen, claimed } = await begin(w);
			const first = seen({ block: 100 });
			await head.scan({ observedTransfers: [first] });
			expect(await solid.scan({ observedTransfers: [seen({ block: 100 })] })).toEqual([]);
			const { deposit } = first.step;
			expect(await claimed()).toMatchObject({
				deposit,
				sender: first.sender,
				solid: {
					type: "confirmed",
					block: 100
				},
				topUp,
				tenantStatus: "active",
				claimCount: 1,
				claim: {
					tenantId,
					depositId: deposit.id
				}
			});
			expect(await eventsAbout(w, tenantId, deposit.id)).toHaveLength(1);
			expect(await w.scans.unconfirmed("tron", 1e3)).toEqual([]);
		});
		test("inserts a due deposit with its event when the head has not shown it", async () => {
			const w = world();
			const { tenantId, solid, seen, claimed } = await begin(w);
			const observed = seen({ block: 100 });
			await solid.scan({ observedTransfers: [observed] });
			const { deposit } = observed.step;
			expect(await claimed()).toMatchObject({
				deposit,
				solid: {
					type: "confirmed",
					block: 100
				}
			});
			const [event, ...others] = await eventsAbout(w, tenantId, deposit.id);
			expect(event).toMatchObject({
				id: observed.step.event.id,
				type: "deposit.pending"
			});
			expect(others).toEqual([]);
		});
		test("replaces the amount and sender that the head has shown", async () => {
			const w = world();
			const { tenantId, head, solid, seen, claimed } = await begin(w);
			const first = seen({
				block: 100,
				value: 2n ** 256n - 1n
			});
			await head.scan({ observedTransfers: [first] });
			const from = accountOf("the true sender");
			await solid.scan({ observedTransfers: [seen({
				block: 100,
				value: 31n,
				from
			})] });
			const corrected = {
				...first.step.deposit,
				amount: usdt(31n),
				fromAddress: testAddresses.format(from)
			};
			expect(await claimed()).toMatchObject({
				deposit: corrected,
				sender: from
			});
			expect(await w.deposits.get(tenantId, corrected.id)).toEqual(corrected);
		});
		test("does not change when the head shows it later", async () => {
			const w = world();
			const { tenantId, head, solid, seen } = await begin(w);
			const first = seen({ block: 100 });
			await solid.scan({ observedTransfers: [first] });
			expect(await head.scan({ observedTransfers: [seen({
				block: 100,
				value: 1n
			})] })).toEqual([]);
			const { items } = await w.deposits.list(tenantId, { limit: 10 });
			expect(items).toEqual([first.step.deposit]);
			expect(await w.deposits.claimDue(10, 100)).toHaveLength(1);
			expect(await w.scans.unconfirmed("tron", 1e3)).toEqual([]);
		});
		test("is due also with an amount of 2²⁵⁶ − 1", async () => {
			const { solid, seen, claimed } = await begin(world());
			const observed = seen({ value: 2n ** 256n - 1n });
			await solid.scan({ observedTransfers: [observed] });
			expect((await claimed())?.deposit).toEqual(observed.step.deposit);
		});
		test("changes and contradicts nothing when it is shown again", async () => {
			const w = world();
			const { solid, seen } = await begin(w);
			await solid.scan({ observedTransfers: [seen()] });
			expect(await solid.scan({
				observedTransfers: [seen({ value: 1n })],
				gone: [refOf$1(seen())]
			})).toEqual([]);
			const due = await w.deposits.claimDue(10, 100);
			expect(due).toHaveLength(1);
			expect(due[0]).toMatchObject({
				deposit: { amount: usdt(25000000n) },
				solid: { type: "confirmed" }
			});
		});
		test("that is ruled out makes its deposit due as gone", async () => {
			const w = world();
			const { topUp, head, solid, seen, claimed } = await begin(w);
			const [first, other] = [seen({ block: 100 }), newObservedTransfer(w, topUp, { block: 100 })];
			await head.scan({ observedTransfers: [first, other] });
			expect(await solid.scan({ gone: [refOf$1(first)] })).toEqual([]);
			expect(await claimed()).toMatchObject({
				deposit: first.step.deposit,
				solid: { type: "gone" }
			});
			expect(await w.scans.unconfirmed("tron", 1e3)).toHaveLength(1);
			expect(await w.deposits.claimDue(10, 100)).toEqual([]);
		});
		test("that was never observed cannot be gone", async () => {
			const w = world();
			const { solid, seen } = await begin(w);
			expect(await solid.scan({ gone: [refOf$1(seen())] })).toEqual([]);
			expect(await w.deposits.claimDue(10, 100)).toEqual([]);
			expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([]);
		});
		test("that was gone gets a new deposit, and is reported as contradicted", async () => {
			const w = world();
			const { tenantId, head, solid, seen } = await begin(w);
			const first = seen({ block: 100 });
			await head.scan({ observedTransfers: [first] });
			await solid.scan({ gone: [refOf$1(first)] });
			const shown = seen({ value: 31n });
			expect(await solid.scan({ observedTransfers: [shown] })).toEqual([refOf$1(first)]);
			const due = await w.deposits.claimDue(10, 100);
			expect(due).toHaveLength(2);
			expect(due).toEqual(expect.arrayContaining([expect.objectContaining({
				deposit: first.step.deposit,
				solid: { type: "gone" }
			}), expect.objectContaining({ deposit: shown.step.deposit })]));
			expect(await eventsAbout(w, tenantId, shown.step.deposit.id)).toHaveLength(1);
			expect(await solid.scan({ observedTransfers: [seen()] })).toEqual([]);
			expect((await w.deposits.list(tenantId, { limit: 10 })).items).toHaveLength(2);
		});
		test("that is gone gets no new deposit when the head still shows it", async () => {
			const w = world();
			const { tenantId, head, solid, seen } = await begin(w);
			const first = seen({ block: 100 });
			await head.scan({ observedTransfers: [first] });
			await solid.scan({ gone: [refOf$1(first)] });
			await head.scan({ observedTransfers: [seen({ block: 101 })] });
			expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual([first.step.deposit]);
		});
		test.each([true, false])("at another address than the head has shown is a deposit there, and gone here (listed as gone: %s)", async (isListed) => {
			const w = world();
			const { tenantId, head, solid, seen } = await begin(w);
			const first = seen({ block: 100 });
			await head.scan({ observedTransfers: [first] });
			const other = await newTopUp(w, await w.newWallet(usdt(0n)));
			const { txHash } = first.step.deposit;
			const elsewhere = newObservedTransfer(w, other, {
				txHash,
				value: 31n
			});
			const gone = isListed ? [refOf$1(first)] : [];
			expect(await solid.scan({
				observedTransfers: [elsewhere],
				gone
			})).toEqual([]);
			const due = await w.deposits.claimDue(10, 100);
			expect(due).toHaveLength(2);
			expect(due).toEqual(expect.arrayContaining([expect.objectContaining({
				deposit: first.step.deposit,
				solid: { type: "gone" }
			}), expect.objectContaining({
				deposit: elsewhere.step.deposit,
				topUp: other
			})]));
			expect((await w.deposits.list(tenantId, { limit: 10 })).items).toEqual([first.step.deposit]);
		});
		test("that was confirmed at another address is reported as contradicted, and changes nothing", async () => {
			const w = world();
			const { solid, seen, claimed } = await begin(w);
			const first = seen();
			await solid.scan({ observedTransfers: [first] });
			const elsewhere = newObservedTransfer(w, await newTopUp(w, await w.newWallet(usdt(0n))), { txHash: first.step.deposit.txHash });
			expect(await solid.scan({ observedTransfers: [elsewhere] })).toEqual([refOf$1(first)]);
			expect((await claimed())?.deposit).toEqual(first.step.deposit);
			expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([first.step.deposit]);
		});
	});
}
// packages/contracts/src/stores/deposit/observe-transfer.contract.ts
function observeTransferTests(open) {
	describe("a transfer observed at the head", () => {
		const world = useWorld(open, "each");
		async function begin(w) {
			const tenantId = await w.newWallet(usdt(0n));
			return {
				tenantId,
				topUp: await newTopUp(w, tenantId),
				head: await scanner(w, "head")
			};
		}
		test("is a pending deposit with its event, byte for byte, and moves no money", async () => {
			const w = world();
			const { tenantId, topUp, head } = await begin(w);
			const observed = newObservedTransfer(w, topUp);
			const { deposit } = observed.step;
			expect(await head.scan({ observedTransfers: [observed] })).toEqual([]);
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit);
			const [event, ...others] = await eventsAbout(w, tenantId, deposit.id);
			expect(others).toEqual([]);
			expect(event && plainEvent(event)).toEqual(plainEvent(observed.step.event));
			expect(await w.wallets.find(tenantId)).toMatchObject({ available: usdt(0n) });
			expect(await w.deposits.claimDue(10, 100)).toEqual([]);
		});
		test("is unconfirmed from its block on", async () => {
			const w = world();
			const { topUp, head } = await begin(w);
			const expiresAt = /* @__PURE__ */ new Date("2026-07-01T00:00:01.234Z");
			const observed = newObservedTransfer(w, topUp, {
				block: 101,
				index: 3,
				expiresAt
			});
			await head.scan();
			await head.scan({ observedTransfers: [observed] });
			expect(await w.scans.unconfirmed("tron", 100)).toEqual([]);
			const unconfirmed = [{
				...refOf$1(observed),
				address: topUp.address,
				expiresAt
			}];
			expect(await w.scans.unconfirmed("tron", 101)).toEqual(unconfirmed);
			expect(await w.scans.unconfirmed("tron", 1e3)).toEqual(unconfirmed);
		});
		test("is the same deposit when observed again, on another branch and with other values", async () => {
			const w = world();
			const { tenantId, topUp, head } = await begin(w);
			const txHash = hashOf("seen twice");
			const first = newObservedTransfer(w, topUp, {
				txHash,
				block: 100
			});
			await head.scan({ observedTransfers: [first] });
			const again = newObservedTransfer(w, topUp, {
				txHash,
				block: 101,
				value: 7n,
				from: accountOf("another")
			});
			expect(await head.scan({ observedTransfers: [again] })).toEqual([]);
			const { items } = await w.deposits.list(tenantId, { limit: 10 });
			expect(items).toEqual([first.step.deposit]);
			expect(await eventsAbout(w, tenantId, first.step.deposit.id)).toHaveLength(1);
			expect(await eventsAbout(w, tenantId, again.step.deposit.id)).toEqual([]);
			expect(await w.scans.unconfirmed("tron", 100)).toHaveLength(1);
		});
		test("stays pending when the head is rewound", async () => {
			const w = world();
			const { tenantId, topUp, head } = await begin(w);
			await head.scan();
			const observed = newObservedTransfer(w, topUp, { block: 101 });
			await head.scan({ observedTransfers: [observed] });
			await w.scans.rewind(head.claim, blockRef(101), blockRef(100));
			expect(await w.deposits.get(tenantId, observed.step.deposit.id)).toEqual(observed.step.deposit);
			expect(await w.scans.unconfirmed("tron", 101)).toHaveLength(1);
		});
		test("is identified by its index within its transaction", async () => {
			const w = world();
			const { tenantId, topUp, head } = await begin(w);
			const txHash = hashOf("many at once");
			const observedTransfers = [
				0,
				1,
				7
			].map((index) => newObservedTransfer(w, topUp, {
				txHash,
				index
			}));
			await head.scan({ observedTransfers });
			const { items } = await w.deposits.list(tenantId, { limit: 10 });
			expect(items).toEqual(newestFirst$2(observedTransfers.map(({ step }) => step.deposit)));
		});
		test("can be one of hundreds, of several tenants, in several blocks", async () => {
			const w = world();
			const { topUp, head } = await begin(w);
			const other = await newTopUp(w, await w.newWallet(usdt(0n)));
			const observedTransfers = Array.from({ length: 300 }, (_, n) => newObservedTransfer(w, n % 3 === 0 ? other : topUp, { block: 101 + n % 4 }));
			await head.scan();
			await head.scan({
				blocks: [
					101,
					102,
					103,
					104
				].map((n) => blockRef(n)),
				observedTransfers
			});
			expect((await w.deposits.list(topUp.tenantId, { limit: 1e3 })).items).toHaveLength(200);
			expect((await w.deposits.list(other.tenantId, { limit: 1e3 })).items).toHaveLength(100);
			expect(await w.scans.unconfirmed("tron", 102)).toHaveLength(150);
		});
		test.each([
			2n ** 63n - 1n,
			2n ** 63n,
			2n ** 256n - 1n
		])("can have any amount that a token can report: %d", async (value) => {
			const w = world();
			const { tenantId, topUp, head } = await begin(w);
			const observed = newObservedTransfer(w, topUp, { value });
			await head.scan({ observedTransfers: [observed] });
			const { deposit } = observed.step;
			expect(await w.deposits.get(tenantId, deposit.id)).toEqual(deposit);
			expect((await w.deposits.list(tenantId, { limit: 1 })).items).toEqual([deposit]);
		});
	});
}
// packages/contracts/src/stores/deposit/scan-store.contract.ts
/** The contract of a `ScanStore`. `depositStoreContract` proves how its deposits are settled. */
function scanStoreContract(name, open) {
	describe(`scan store in ${name}`, () => {
		claimScanTests(open);
		advanceScanTests(open);
		observeTransferTests(open);
		confirmTransferTests(open);
	});
}
// packages/contracts/src/fixtures/sweep/sweep-chain.ts
/** The signature that the scripted chain accepts: as if each account's key were its name. */
const signatureOf = (account, txHash) => hashOf(`${account} signs ${txHash}`).repeat(3).slice(0, 130);
/** An unsigned transfer with the parts that stores check. */
function unsignedTransfer(order) {
	const { from, to, minor, at, expiresAt } = order;
	const call = `a9059cbb${to.padStart(64, "0")}${minor.toString(16).padStart(64, "0")}`;
	const times = `${at.getTime()} ${expiresAt.getTime()}`;
	const rawHex = `41${from}${call}${Buffer.from(times).toString("hex")}`;
	const txHash = hash("sha256", Buffer.from(rawHex, "hex"));
	return {
		txHash,
		rawHex,
		transaction: JSON.stringify({
			txID: txHash,
			raw_data_hex: rawHex,
			raw_data: {}
		}),
		expiresAt
	};
}
/** The treasury of the tests. */
const treasuryAccount = accountOf("the treasury");
/** A threshold of one USDT. */
const oneUsdt = usdt(1000000n);
// packages/contracts/src/fixtures/sweep/sweeps.ts
/** When batches of the tests expire. */
const batchExpiry = new Date(someInstant.getTime() + 432e5);
/** A top-up address of its own tenant. */
const newSweepAddress = async (w) => newTopUp(w, (await w.newTenant()).id);
/** A transfer of 25 USDT from this address. */
function sweepTransfer(w, { id: batchId }, { account, address, index }, over = {}) {
	const { minor = 25000000n, at = someInstant } = over;
	const id = w.ids.next("swp", at);
	const order = {
		from: account,
		to: treasuryAccount,
		minor,
		at,
		expiresAt: batchExpiry
	};
	const cost = {
		energy: 64285n,
		feeLimit: 2n ** 40n,
		trxNeeded: 8357050n,
		trxMissing: 7n
	};
	return {
		...unsignedTransfer(order),
		...cost,
		id,
		batchId,
		account,
		address,
		index,
		amount: usdt(minor),
		status: "planned",
		signature: null,
		sentAt: null,
		problem: null,
		endedAt: null
	};
}
/** A plan that is not stored, with a transfer of each address. */
function sweepPlan(w, addresses, createdAt = someInstant) {
	const treasury = {
		account: treasuryAccount,
		address: testAddresses.format(treasuryAccount)
	};
	const batch = {
		id: w.ids.next("swb", createdAt),
		chain: "tron",
		treasury,
		threshold: oneUsdt,
		createdBy: "ana",
		createdAt,
		expiresAt: batchExpiry
	};
	return {
		batch,
		transfers: addresses.map((each) => sweepTransfer(w, batch, each, { at: createdAt })).toSorted((a, b) => a.index - b.index)
	};
}
/** A stored plan for new addresses. */
async function newSweepPlan(w, size = 1) {
	const addresses = [];
	for (let n = 0; n < size; n++) addresses.push(await newSweepAddress(w));
	const plan = sweepPlan(w, addresses);
	await w.sweeps.insert(plan);
	return plan;
}
/** The first transfer of a plan. */
function firstOf({ transfers: [first] }) {
	if (!first) throw new Error("the plan has no transfer");
	return first;
}
// packages/contracts/src/stores/sweep/claim-sweep.contract.ts
/** Long leases and large steps, so that a store clock that also runs by itself does not matter. */
const leaseSeconds = 100;
const nothingSent = {
	sentAt: null,
	problem: null
};
function claimSweepTests(open) {
	describe("claims of transfers", () => {
		const world = useWorld(open, "each");
		const claimDue = ({ sweeps }, limit = 10) => sweeps.claimDue(limit, leaseSeconds);
		test("a planned transfer is due after ten minutes, a signed one at once", async () => {
			const w = world();
			const plan = await newSweepPlan(w);
			expect(await claimDue(w)).toEqual([]);
			await w.advance(601);
			const first = await claimOne(w.sweeps);
			expect(first).toMatchObject({
				transfer: firstOf(plan),
				treasury: treasuryAccount
			});
			expect(first.claimCount).toBe(1);
			await signAll(w, plan);
			expect(await w.sweeps.yieldClaim(first.claim, 0, nothingSent)).toBe(false);
			expect(await w.sweeps.settle(first.claim, "expired", laterInstant)).toBe("stale");
			const second = await claimOne(w.sweeps);
			expect(second.transfer.status).toBe("signed");
			expect(second.claimCount).toBe(1);
		});
		test("after its lease it is due again, with a higher fencing token and claim count", async () => {
			const w = world();
			await signAll(w, await newSweepPlan(w));
			let token = 0;
			for (const count of [
				1,
				2,
				3
			]) {
				const claimed = await claimOne(w.sweeps);
				expect(await claimDue(w)).toEqual([]);
				expect(claimed.claimCount).toBe(count);
				expect(claimed.claim.fencingToken).toBeGreaterThan(token);
				token = claimed.claim.fencingToken;
				await w.advance(101);
			}
		});
		test("yieldClaim records the attempt; the first sentAt stays", async () => {
			const w = world();
			const plan = await newSweepPlan(w);
			await signAll(w, plan);
			const attempts = [
				{
					sentAt: null,
					problem: "TRX_MISSING"
				},
				{
					sentAt: someInstant,
					problem: null
				},
				{
					sentAt: laterInstant,
					problem: "NODE_REFUSES"
				}
			];
			for (const attempt of attempts) {
				const { claim } = await claimOne(w.sweeps);
				expect(await w.sweeps.yieldClaim(claim, 50, attempt)).toBe(true);
				const stored = await w.sweeps.find(plan.batch.id);
				const sentAt = attempt.sentAt && someInstant;
				expect(stored?.transfers).toMatchObject([{
					...attempt,
					sentAt
				}]);
				await w.advance(40);
				expect(await claimDue(w)).toEqual([]);
				await w.advance(11);
			}
		});
		test.each([
			"solid",
			"failed",
			"expired"
		])("%s is final: neither due, nor settled again; and the address is free", async (status) => {
			const w = world();
			const plan = await newSweepPlan(w);
			await signAll(w, plan);
			const { claim, transfer } = await claimOne(w.sweeps);
			expect(await w.sweeps.settle(claim, status, laterInstant)).toBe("committed");
			const ended = {
				...transfer,
				status,
				endedAt: laterInstant
			};
			expect(await w.sweeps.find(plan.batch.id)).toEqual({
				...plan,
				transfers: [ended]
			});
			expect(await w.sweeps.settle(claim, "solid", laterInstant)).toBe("stale");
			expect(await w.sweeps.yieldClaim(claim, 0, nothingSent)).toBe(false);
			await w.advance(1e5);
			expect(await claimDue(w)).toEqual([]);
			const next = sweepPlan(w, await w.addresses.match("tron", [transfer.account]), new Date(someInstant.getTime() + 1));
			expect(await w.sweeps.insert(next)).toEqual(next.transfers);
		});
		test("a lost claim neither yields nor settles", async () => {
			const w = world();
			await signAll(w, await newSweepPlan(w));
			const old = await claimOne(w.sweeps);
			await w.advance(101);
			const mine = await claimOne(w.sweeps);
			expect(await w.sweeps.yieldClaim(old.claim, 0, nothingSent)).toBe(false);
			expect(await w.sweeps.settle(old.claim, "failed", laterInstant)).toBe("stale");
			expect(await w.sweeps.settle(mine.claim, "solid", laterInstant)).toBe("committed");
		});
		test("12 concurrent workers claim each exactly once; one of two settlements commits", async () => {
			const w = world();
			const plan = await newSweepPlan(w, 5);
			await signAll(w, plan);
			const claimed = [...(await Promise.all(Array.from({ length: 12 }, () => claimDue(w, 4)))).flat(), ...await claimDue(w)];
			expect(claimed.map(({ transfer }) => transfer.id).toSorted()).toEqual(plan.transfers.map(({ id }) => id).toSorted());
			const [{ claim } = await claimOne(w.sweeps)] = claimed;
			const ends = ["solid", "expired"].map((status) => w.sweeps.settle(claim, status, laterInstant));
			expect((await Promise.all(ends)).toSorted()).toEqual(["committed", "stale"]);
		});
	});
}
async function claimOne(sweeps) {
	const [claimed, ...others] = await sweeps.claimDue(10, leaseSeconds);
	if (claimed === void 0 || others.length > 0) throw new Error("expected exactly one due sweep");
	return claimed;
}
const signAll = ({ sweeps }, { batch, transfers }) => sweeps.sign(batch.id, transfers.map(({ id }) => ({
	transferId: id,
	signature: "ab".repeat(65)
})), someOperator);
// packages/contracts/src/stores/sweep/insert-sweep.contract.ts
function insertSweepTests(open) {
	describe("plans and signatures", () => {
		const world = useWorld(open, "each");
		test("a plan is stored as it is, with one audit entry of no tenant", async () => {
			const w = world();
			const plan = await newSweepPlan(w, 3);
			expect(await w.sweeps.find(plan.batch.id)).toEqual(plan);
			const entries = await auditEntries(w.audit, {
				subject: plan.batch.id,
				limit: 10
			});
			expect(entries).toEqual([auditSweepPlan(plan)]);
			expect(entries[0]?.tenantId).toBeNull();
		});
		test("finds no unknown batch", async () => {
			expect(await world().sweeps.find("swb_00000000000000000000000000")).toBeUndefined();
		});
		test("an address with a live transfer gets no second one", async () => {
			const w = world();
			const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)];
			const first = sweepPlan(w, [one]);
			expect(await w.sweeps.insert(first)).toEqual(first.transfers);
			const at = new Date(someInstant.getTime() + 1);
			const second = sweepPlan(w, [one, other], at);
			const expected = second.transfers.filter(({ account }) => account === other.account);
			expect(await w.sweeps.insert(second)).toEqual(expected);
			expect(await w.sweeps.find(second.batch.id)).toEqual({
				...second,
				transfers: expected
			});
			const again = sweepPlan(w, [one, other], new Date(at.getTime() + 1));
			expect(await w.sweeps.insert(again)).toEqual([]);
			expect(await w.sweeps.find(again.batch.id)).toBeUndefined();
			expect(await auditEntries(w.audit, {
				subject: again.batch.id,
				limit: 10
			})).toEqual([]);
		});
		test("of 6 concurrent plans for two addresses each address is in one", async () => {
			const w = world();
			const addresses = [await newSweepAddress(w), await newSweepAddress(w)];
			const plans = Array.from({ length: 6 }, (_, n) => sweepPlan(w, addresses, new Date(someInstant.getTime() + n)));
			const inserted = (await Promise.all(plans.map((plan) => w.sweeps.insert(plan)))).flat();
			expect(inserted.map(({ account }) => account).toSorted()).toEqual(addresses.map(({ account }) => account).toSorted());
		});
		test("a treasury that is a top-up address, and an unknown address, are refused", async () => {
			const w = world();
			const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)];
			const plan = sweepPlan(w, [one]);
			const batch = {
				...plan.batch,
				treasury: other
			};
			await expect(w.sweeps.insert({
				...plan,
				batch
			})).rejects.toThrow("is a top-up address");
			const account = accountOf("nobody");
			const unknown = sweepPlan(w, [{
				...one,
				account,
				address: testAddresses.format(account)
			}]);
			await expect(w.sweeps.insert(unknown)).rejects.toThrow();
			expect(await w.sweeps.find(plan.batch.id)).toBeUndefined();
		});
		test("signatures are stored once, with an audit entry that names the transfers", async () => {
			const w = world();
			const { batch, transfers } = await newSweepPlan(w, 3);
			const signatures = transfers.map(({ id, account, txHash }) => ({
				transferId: id,
				signature: signatureOf(account, txHash)
			}));
			const half = signatures.slice(0, 2);
			const ids = (of) => of.map(({ transferId }) => transferId).toSorted();
			const sign = (of) => w.sweeps.sign(batch.id, of, someOperator);
			expect((await sign(half)).toSorted()).toEqual(ids(half));
			expect(await sign(signatures)).toEqual(ids(signatures.slice(2)));
			expect(await sign(signatures.map((each) => ({
				...each,
				signature: "ab".repeat(65)
			})))).toEqual([]);
			const stored = await w.sweeps.find(batch.id);
			expect(stored?.transfers.map(({ status, signature }) => [status, signature])).toEqual(signatures.map(({ signature }) => ["signed", signature]));
			const entries = await auditEntries(w.audit, {
				subject: batch.id,
				limit: 10
			});
			expect(entries.slice(0, 2)).toEqual([auditSweepSignatures(batch.id, ids(signatures.slice(2)), someOperator), auditSweepSignatures(batch.id, ids(half), someOperator)]);
		});
		test("a transfer of another batch, or one that has ended, is not signed", async () => {
			const w = world();
			const [plan, other] = [await newSweepPlan(w), await newSweepPlan(w)];
			const { id: transferId } = firstOf(plan);
			const signature = "ab".repeat(65);
			const sign = (batchId) => w.sweeps.sign(batchId, [{
				transferId,
				signature
			}], someOperator);
			expect(await sign(other.batch.id)).toEqual([]);
			await w.advance(601);
			const claims = await w.sweeps.claimDue(10, 100);
			for (const { claim } of claims) await w.sweeps.settle(claim, "expired", laterInstant);
			expect(await sign(plan.batch.id)).toEqual([]);
			expect(await w.sweeps.find(plan.batch.id)).toMatchObject({ transfers: [{
				status: "expired",
				signature: null
			}] });
		});
	});
}
// packages/contracts/src/stores/sweep/list-sweeps.contract.ts
function listSweepTests(open) {
	describe("lists of sweeps", () => {
		const world = useWorld(open, "each");
		const amountsOf = async ({ sweeps }) => {
			const { items } = await sweeps.addresses("tron", { limit: 10 });
			return new Map(items.map(({ address, received, swept, liveTransferId }) => [address, [
				received.minor,
				swept.minor,
				liveTransferId
			]]));
		};
		test("an address has received what solid blocks confirmed, in review or not", async () => {
			const w = world();
			const one = await depositBuilders(w);
			const other = await buildersOfAnotherTenant(w, one);
			await one.credited({ value: 7000000n });
			await one.inReview({ value: 2000000n });
			await one.due({ value: 1n });
			await one.pending({ value: 500n });
			await other.gone({ value: 900n });
			expect(await amountsOf(w)).toEqual(/* @__PURE__ */ new Map([[one.topUp.address, [
				9000001n,
				0n,
				null
			]], [other.topUp.address, [
				0n,
				0n,
				null
			]]]));
		});
		test("an address has swept what is solid; its live transfer is named", async () => {
			const w = world();
			const address = await newSweepAddress(w);
			for (const [n, end] of [
				"solid",
				"expired",
				"failed",
				"solid"
			].entries()) {
				const plan = sweepPlan(w, [address], new Date(someInstant.getTime() + n));
				await w.sweeps.insert(plan);
				const { id } = firstOf(plan);
				expect(await amountsOf(w)).toMatchObject(/* @__PURE__ */ new Map([[address.address, [
					0n,
					expect.any(BigInt),
					id
				]]]));
				await w.advance(601);
				for (const { claim } of await w.sweeps.claimDue(10, 100)) await w.sweeps.settle(claim, end, laterInstant);
			}
			expect(await amountsOf(w)).toEqual(/* @__PURE__ */ new Map([[address.address, [
				0n,
				50000000n,
				null
			]]]));
		});
		test("sweptOf sums what is solid and what is live, and leaves out the others", async () => {
			const w = world();
			const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)];
			await w.sweeps.insert(sweepPlan(w, [one]));
			await w.advance(601);
			for (const { claim } of await w.sweeps.claimDue(10, 100)) await w.sweeps.settle(claim, "solid", laterInstant);
			await w.sweeps.insert(sweepPlan(w, [one, other], new Date(someInstant.getTime() + 1)));
			const accounts = [
				one.account,
				other.account,
				accountOf("nobody"),
				one.account
			];
			const [moved, none] = [usdt(25000000n), usdt(0n)];
			expect(await w.sweeps.sweptOf("tron", accounts)).toEqual(/* @__PURE__ */ new Map([[one.account, {
				solid: moved,
				live: moved
			}], [other.account, {
				solid: none,
				live: moved
			}]]));
			expect(await w.sweeps.sweptOf("tron", [])).toEqual(/* @__PURE__ */ new Map());
		});
		test("addresses and batches are listed newest first, in pages", async () => {
			const w = world();
			const plans = [
				await newSweepPlan(w),
				await newSweepPlan(w, 2),
				await newSweepPlan(w)
			];
			const wanted = plans.flatMap(({ transfers }) => transfers.map(({ address }) => address));
			const addresses = await inPages((query) => w.sweeps.addresses("tron", query));
			expect(addresses.map(({ address }) => address)).toEqual(wanted.toSorted().toReversed());
			const batches = await inPages((query) => w.sweeps.list(query));
			const none = {
				planned: 0,
				signed: 0,
				solid: 0,
				failed: 0,
				expired: 0
			};
			expect(batches).toEqual(plans.toReversed().map(({ batch, transfers }) => ({
				batch,
				counts: {
					...none,
					planned: transfers.length
				}
			})));
		});
	});
}
/** All items, read in pages of one. */
async function inPages(read) {
	const items = [];
	for (let after;;) {
		const page = await read({
			limit: 1,
			...after && { after }
		});
		items.push(...page.items);
		if (!page.next) return items;
		after = page.next;
	}
}
// packages/contracts/src/stores/sweep/sweep-store.contract.ts
/** The contract of a `SweepStore`. */
function sweepStoreContract(name, open) {
	describe(`sweep store in ${name}`, () => {
		insertSweepTests(open);
		claimSweepTests(open);
		listSweepTests(open);
	});
}
// packages/contracts/src/stores/statement/statement-store.contract.ts
const anyStep = fc.oneof(fc.record({
	type: fc.constantFrom("in", "in", "out", "pay", "fail"),
	minor: fc.bigInt({
		min: 1n,
		max: 5000000n
	})
}), fc.record({
	type: fc.constant("wait"),
	seconds: fc.constantFrom(1, 43200, 86400, 2e5)
}));
/** The contract of a `StatementStore`. */
function statementStoreContract(name, open, { runs = 15 } = {}) {
	describe(`statement store in ${name}`, () => {
		const world = useWorld(open, "each");
		test("an unknown and an empty wallet have a balance of zero and no transactions", async () => {
			const w = world();
			const day = {
				from: /* @__PURE__ */ new Date(0),
				to: /* @__PURE__ */ new Date(9e12)
			};
			for (const id of [(await w.newTenant()).id, w.ids.next("ten", someInstant)]) {
				expect(await w.statements.balancesBefore(id, [day.from, day.to])).toEqual([usdt(0n), usdt(0n)]);
				expect(await w.statements.transactions(id, {
					...day,
					limit: 5
				})).toEqual({
					items: [],
					next: null
				});
			}
			expect(await w.statements.balancesBefore("ten_none", [])).toEqual([]);
		});
		test("the start of a day belongs to it, and its end to the next one", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(5n));
			const [row] = (await w.wallets.transactions(tenantId, { limit: 1 })).items;
			if (row === void 0) throw new Error("one transaction");
			const at = row.createdAt;
			const later = new Date(at.getTime() + 1);
			const { balancesBefore, transactions } = w.statements;
			expect(await balancesBefore(tenantId, [at, later])).toEqual([usdt(0n), usdt(5n)]);
			const read = async (from, to) => (await transactions(tenantId, {
				from,
				to,
				limit: 9
			})).items;
			expect(await read(at, later)).toEqual([row]);
			expect(await read(/* @__PURE__ */ new Date(0), at)).toEqual([]);
			expect(await read(later, /* @__PURE__ */ new Date(9e12))).toEqual([]);
		});
		test("for any history, closing balances chain, add up, and end at the wallet", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), fc.integer({
				min: 1,
				max: 5
			}), async (steps, limit) => {
				const tenantId = await w.newWallet(usdt(20000000n));
				for (const step of steps) await take(w, tenantId, step);
				const all = (await w.wallets.transactions(tenantId, { limit: 100 })).items.toReversed();
				const days = daysOf(all);
				const instants = [...days.map(({ start }) => start), days.at(-1)?.end ?? someInstant];
				const balances = await w.statements.balancesBefore(tenantId, instants);
				expect(balances[0]).toEqual(usdt(0n));
				const read = [];
				for (const [n, day] of days.entries()) {
					const rows = await rowsOf$1(w, tenantId, day, limit);
					read.push(...rows);
					const moved = rows.reduce((sum, { direction, amount }) => sum + (direction === "in" ? 1n : -1n) * amount.minor, balances[n]?.minor ?? 0n);
					expect(balances[n + 1]).toEqual(usdt(moved));
				}
				expect(read).toEqual(all);
				const wallet = await w.wallets.find(tenantId);
				expect(balances.at(-1)?.minor).toBe((wallet?.available.minor ?? 0n) + (wallet?.held.minor ?? 0n));
			}), { numRuns: runs });
		});
	});
}
async function take(w, tenantId, step) {
	if (step.type === "wait") return w.advance(step.seconds);
	const amount = usdt(step.minor);
	if (step.type === "in" || step.type === "out") {
		await adjustWallet(w, {
			id: w.ids.uuid(someInstant),
			tenantId,
			reason: "test",
			actor: "test",
			direction: step.type,
			amount
		});
		return;
	}
	const { available } = await w.wallets.find(tenantId) ?? {};
	if (available === void 0 || available.minor < step.minor) return;
	const payout = await w.newPayout(await w.newQuote(tenantId, { source: amount }));
	const answer = step.type === "pay" ? paidAnswer(payout) : { type: "refused_payment" };
	expect(await w.payouts.commit(w.settleCommit(payout, answer, { at: someInstant }))).not.toBe("stale");
}
/** All days from the first to the last transaction, also those without one. */
function daysOf(rows) {
	const last = rows.at(-1);
	const days = [];
	for (let day = rows[0] && statementDayAt(rows[0].createdAt); day !== void 0 && last !== void 0 && day.start <= last.createdAt; day = statementDayAt(day.end)) days.push(day);
	return days;
}
async function rowsOf$1({ statements }, tenantId, { start: from, end: to }, limit) {
	const rows = [];
	let after;
	while (after !== null) {
		const query = {
			from,
			to,
			limit,
			...after && { after }
		};
		const page = await statements.transactions(tenantId, query);
		expect(page.items.length).toBeLessThanOrEqual(limit);
		rows.push(...page.items);
		after = page.next;
	}
	return rows;
}
// packages/contracts/src/stores/tenant/tenant-store.contract.ts
/** The contract of a `TenantStore`. */
function tenantStoreContract(name, open, { runs = 50 } = {}) {
	describe(`tenant store in ${name}`, () => {
		const world = useWorld(open);
		test("reads back every tenant as created, with one empty wallet", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyTenant, async (tenant) => {
				const walletId = w.ids.next("wal", someInstant);
				await w.tenants.create(tenant, walletId, "ana");
				expect(await w.tenants.find(tenant.id)).toEqual(unused(tenant));
				const entries = await auditEntries(w.audit, {
					subject: tenant.id,
					limit: 2
				});
				expect(entries).toEqual([tenantCreated(tenant, "ana")]);
				const { createdAt } = tenant;
				const wallet = await w.wallets.find(tenant.id);
				expect(wallet).toMatchObject({
					id: walletId,
					tenantId: tenant.id,
					createdAt
				});
			}), { numRuns: runs });
		});
		test("does not find an unknown tenant", async () => {
			const w = world();
			expect(await w.tenants.find(w.ids.next("ten", someInstant))).toBeUndefined();
		});
		test("updates from the newest revision change all but id and creation, each with an audit entry", async () => {
			const w = world();
			await fc.assert(fc.asyncProperty(anyTenant, async ({ status: _status, ...terms }) => {
				const tenant = await w.newTenant();
				const { id, createdAt } = tenant;
				const changed = {
					...terms,
					id,
					createdAt,
					status: "active",
					revision: 2
				};
				const suspended = {
					...changed,
					status: "suspended",
					revision: 3
				};
				const resumed = {
					...changed,
					revision: 4
				};
				const late = {
					...changed,
					createdAt: /* @__PURE__ */ new Date(0)
				};
				expect(await w.tenants.update(late, "tenant.update", someAdmin)).toBe("committed");
				expect(await w.tenants.find(tenant.id)).toEqual(unused(changed));
				expect(await w.tenants.update(suspended, "tenant.suspend", someOperator)).toBe("committed");
				expect(await w.tenants.find(tenant.id)).toEqual(unused(suspended));
				expect(await w.tenants.update(resumed, "tenant.resume", someOperator)).toBe("committed");
				expect(await w.tenants.find(tenant.id)).toEqual(unused(resumed));
				const entries = await auditEntries(w.audit, {
					subject: tenant.id,
					limit: 3
				});
				expect(entries).toEqual([
					tenantChanged("tenant.resume", suspended, resumed, someOperator),
					tenantChanged("tenant.suspend", changed, suspended, someOperator),
					tenantChanged("tenant.update", tenant, changed, someAdmin)
				]);
			}), { numRuns: runs });
		});
		test("a raised limit takes the token of an admin; a lowered one does not", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const limits = {
				amount: usdt(100n),
				count: 10
			};
			const lowered = {
				...tenant,
				dailyLimits: limits,
				revision: 2
			};
			expect(await w.tenants.update(lowered, "tenant.update", someOperator)).toBe("committed");
			const cap = tenant.pricing.paymentCap.minor;
			const next = {
				...lowered,
				revision: 3
			};
			const raised = [
				{
					...next,
					pricing: {
						...tenant.pricing,
						paymentCap: bob(cap + 1n)
					}
				},
				{
					...next,
					dailyLimits: {
						...limits,
						amount: usdt(101n)
					}
				},
				{
					...next,
					dailyLimits: {
						...limits,
						amount: null
					}
				},
				{
					...next,
					dailyLimits: {
						...limits,
						count: 11
					}
				},
				{
					...next,
					dailyLimits: {
						...limits,
						count: null
					}
				}
			];
			const byOperator = {
				...someAdmin,
				actor: "ana",
				tokenHash: tokenHashOf("ana")
			};
			for (const change of raised) {
				for (const author of [someOperator, byOperator]) expect(await w.tenants.update(change, "tenant.update", author)).toBe("unauthorized");
				const invented = w.tenants.update(change, "tenant.update", {
					...someAdmin,
					actor: "ben"
				});
				await expect(invented).rejects.toThrow(/is of ada, not of ben/);
			}
			expect(await w.tenants.find(tenant.id)).toEqual(unused(lowered));
			let last = lowered;
			for (const { pricing, dailyLimits } of raised) {
				last = {
					...lowered,
					pricing,
					dailyLimits,
					revision: last.revision + 1
				};
				expect(await w.tenants.update(last, "tenant.update", someAdmin)).toBe("committed");
			}
		});
		test("the approval of an admin changes limits, and only those that are proposed", async () => {
			const w = world();
			const limits = {
				amount: usdt(100n),
				count: 10
			};
			const tenant = await w.newTenant({ dailyLimits: limits });
			const proposal = openProposalOf({
				id: w.ids.next("prp", someInstant),
				tenantId: tenant.id,
				actor: "ada",
				reason: "crece"
			}, {
				type: "change_limits",
				tenantId: tenant.id,
				limits: {
					paymentCap: bob(9000000n),
					count: null
				}
			});
			expect(await w.proposals.insert(proposal, tokenHashOf("eva"))).toBe("unauthorized");
			expect(await w.proposals.insert(proposal, someAdmin.tokenHash)).toBe("committed");
			const suspended = {
				...tenant,
				status: "suspended",
				revision: 2
			};
			await w.tenants.update(suspended, "tenant.suspend", someOperator);
			const by = (person) => ({
				...proposal,
				status: "approved",
				approval: {
					at: someInstant,
					by: person
				}
			});
			expect(await w.proposals.commit(by("eva"), tokenHashOf("eva"))).toBe("unauthorized");
			await expect(w.proposals.commit(by("ada"), someAdmin.tokenHash)).rejects.toThrow();
			expect(await w.tenants.find(tenant.id)).toEqual(unused(suspended));
			expect(await w.proposals.commit(by("ben"), tokenHashOf("ben"))).toBe("committed");
			const changed = {
				...suspended,
				pricing: {
					...tenant.pricing,
					paymentCap: bob(9000000n)
				},
				dailyLimits: {
					...limits,
					count: null
				},
				revision: 3
			};
			expect(await w.tenants.find(tenant.id)).toEqual(unused(changed));
			expect((await w.proposals.find(proposal.id))?.status).toBe("executed");
			const [entry] = await auditEntries(w.audit, {
				subject: tenant.id,
				limit: 1
			});
			expect(entry).toEqual(tenantChanged("tenant.update", suspended, changed, someAdmin, proposal.id));
		});
		test("a repeated request creates one tenant, also of many at once; its key belongs to the person", async () => {
			const w = world();
			const request = {
				key: "digest of a key",
				fingerprint: "v1:body"
			};
			const { id, ...tenant } = await w.newTenant();
			const create = (actor, fingerprint = request.fingerprint) => {
				const walletId = w.ids.next("wal", someInstant);
				const next = {
					...tenant,
					id: w.ids.next("ten", someInstant)
				};
				const sent = {
					...request,
					fingerprint
				};
				return w.tenants.create(next, walletId, actor, sent).then((result) => ({
					id: next.id,
					result
				}));
			};
			const results = await Promise.all(Array.from({ length: 8 }, () => create("ana")));
			const [first, ...others] = results.filter(({ result }) => result === "committed");
			expect(others).toEqual([]);
			const used = {
				fingerprint: "v1:body",
				subject: first?.id
			};
			for (const { id: lostId, result } of results.filter((each) => each !== first)) {
				expect(result).toEqual(used);
				expect(await w.tenants.find(lostId)).toBeUndefined();
				expect(await w.wallets.find(lostId)).toBeUndefined();
				expect(await auditEntries(w.audit, {
					subject: lostId,
					limit: 1
				})).toEqual([]);
			}
			expect((await create("ana", "v1:other")).result).toEqual(used);
			expect((await create("luz")).result).toBe("committed");
			expect(id).not.toBe(first?.id);
		});
		test("throws when the action does not name the change, and writes nothing", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const next = {
				...tenant,
				revision: 2
			};
			const dearer = {
				...next,
				pricing: {
					...tenant.pricing,
					marginBps: 151
				}
			};
			const suspended = {
				...next,
				status: "suspended"
			};
			const limited = {
				...next,
				dailyLimits: {
					amount: null,
					count: 1
				}
			};
			for (const [change, action] of [
				[suspended, "tenant.update"],
				[suspended, "tenant.resume"],
				[next, "tenant.suspend"],
				[dearer, "tenant.resume"],
				[{
					...dearer,
					status: "suspended"
				}, "tenant.suspend"],
				[{
					...limited,
					status: "suspended"
				}, "tenant.suspend"],
				[{
					...next,
					legalName: "Other"
				}, "tenant.resume"]
			]) await expect(w.tenants.update(change, action, someOperator)).rejects.toThrow(/does not match the change/);
			expect(await w.tenants.find(tenant.id)).toEqual(unused(tenant));
			expect(await auditEntries(w.audit, {
				subject: tenant.id,
				limit: 10
			})).toHaveLength(1);
		});
		test("an update from another revision is stale and writes nothing", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const { id } = tenant;
			const suspended = {
				...tenant,
				status: "suspended",
				revision: 2
			};
			expect(await w.tenants.update(suspended, "tenant.suspend", someOperator)).toBe("committed");
			for (const revision of [
				1,
				2,
				4
			]) {
				const late = {
					...suspended,
					pricing: {
						...tenant.pricing,
						marginBps: 1
					},
					revision
				};
				expect(await w.tenants.update(late, "tenant.update", someOperator)).toBe("stale");
			}
			expect(await w.tenants.find(id)).toEqual(unused(suspended));
			expect(await auditEntries(w.audit, {
				subject: id,
				limit: 10
			})).toHaveLength(2);
		});
		test("exactly one of many concurrent updates of one revision commits", async () => {
			const w = world();
			const tenant = await w.newTenant();
			const changes = [
				1,
				2,
				3,
				4,
				5
			].map((marginBps) => ({
				...tenant,
				pricing: {
					...tenant.pricing,
					marginBps
				},
				revision: 2
			}));
			const results = await Promise.all(changes.map((change) => w.tenants.update(change, "tenant.update", someOperator)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			const winner = changes[results.indexOf("committed")];
			expect(await w.tenants.find(tenant.id)).toEqual(winner && unused(winner));
			expect(await auditEntries(w.audit, {
				subject: tenant.id,
				limit: 10
			})).toHaveLength(2);
		});
		test("an update of an unknown tenant is stale", async () => {
			const w = world();
			const unknown = {
				...await w.newTenant(),
				id: w.ids.next("ten", someInstant),
				revision: 2
			};
			expect(await w.tenants.update(unknown, "tenant.update", someOperator)).toBe("stale");
			expect(await w.tenants.find(unknown.id)).toBeUndefined();
		});
	});
	describe(`the list of tenants in ${name}`, () => {
		const world = useWorld(open, "each");
		test("is newest first, in pages, each tenant once", async () => {
			const w = world();
			const tenants = [];
			for (const ms of [
				5,
				1,
				3,
				3,
				3,
				0
			]) tenants.push(unused(await w.newTenant({ createdAt: new Date(someInstant.getTime() + ms) })));
			await expectPages(tenants, (query) => w.tenants.list(query));
		});
		test("is empty without tenants", async () => {
			expect(await world().tenants.list({ limit: 10 })).toEqual({
				items: [],
				next: null
			});
		});
	});
}
/** A tenant without payouts. */
const unused = (tenant) => ({
	...tenant,
	usedToday: noDailyUse
});
// packages/contracts/src/stores/ledger/wallet-model.contract.ts
/**
* Compares a wallet with a model, after random histories of holds, captures, releases and adjustments that
* include repeated and stale writes.
*/
function walletModelContract(name, open, { runs = 30 } = {}) {
	describe(`a wallet in ${name}`, () => {
		const world = useWorld(open);
		test("equals the model after every write, and its postings sum to its balance", async () => {
			const w = world();
			const commands = fc.commands(anyCommands, { maxCommands: 40 });
			await fc.assert(fc.asyncProperty(commands, async (history) => {
				const tenantId = await w.newWallet(usdt(0n));
				const model = {
					available: 0n,
					adjusted: 0n,
					debited: 0n,
					open: [],
					ended: 0
				};
				const real = {
					w,
					tenantId,
					applied: [],
					ended: []
				};
				await fc.asyncModelRun(() => ({
					model,
					real
				}), history);
			}), { numRuns: runs });
		});
	});
}
const heldOf = (model) => model.open.reduce((sum, amount) => sum + amount, 0n);
async function expectSame(model, { w, tenantId }) {
	const wallet = await w.wallets.find(tenantId);
	const totals = await w.wallets.totals(tenantId);
	expect(await w.wallets.books(tenantId)).toEqual({
		wallet,
		totals
	});
	expect(wallet?.available.minor).toBe(model.available);
	expect(wallet?.held.minor).toBe(heldOf(model));
	expect(totals.adjusted.minor).toBe(model.adjusted);
	expect(totals.debited.minor).toBe(model.debited);
	expect(wallet && isBalanced(wallet, totals)).toBe(true);
}
const adjust = (direction, amount) => ({
	check: () => true,
	run: async (model, real) => {
		const { w, tenantId } = real;
		const result = await adjustWallet(w, {
			id: w.ids.uuid(someInstant),
			tenantId,
			direction,
			amount: usdt(amount),
			reason: "model",
			actor: "test"
		});
		const signed = direction === "in" ? amount : -amount;
		const fits = model.available + signed >= 0n;
		expect(result).toBe(fits ? "committed" : "insufficient_balance");
		if (fits) {
			model.available += signed;
			model.adjusted += signed;
		}
		await expectSame(model, real);
	},
	toString: () => `adjust ${direction} ${amount}`
});
const hold = (amount) => ({
	check: () => true,
	run: async (model, real) => {
		const { w, tenantId } = real;
		const write = w.applyCommit(await w.newQuote(tenantId, { source: usdt(amount) }));
		const fits = amount <= model.available;
		expect(await w.payouts.commit(write)).toBe(fits ? "committed" : "insufficient_balance");
		if (fits) {
			model.available -= amount;
			model.open.push(amount);
			real.applied.push({
				write,
				payout: write.step.payout
			});
		}
		await expectSame(model, real);
	},
	toString: () => `hold ${amount}`
});
const end = (how, choice) => ({
	check: (model) => model.open.length > 0,
	run: async (model, real) => {
		const index = choice % model.open.length;
		const [amount = 0n] = model.open.splice(index, 1);
		const [applied] = real.applied.splice(index, 1);
		if (applied === void 0) throw new Error("the model has a payout that the store has not");
		const { payout } = applied;
		const answer = how === "capture" ? paidAnswer(payout) : { type: "refused_payment" };
		const write = real.w.settleCommit(payout, answer);
		expect(await real.w.payouts.commit(write)).toBe("committed");
		real.ended.push(write);
		model.ended++;
		if (how === "capture") model.debited += amount;
		else model.available += amount;
		await expectSame(model, real);
	},
	toString: () => `${how} #${choice}`
});
const applyAgain = (choice) => ({
	check: (model) => model.open.length > 0,
	run: async (model, real) => {
		const write = real.applied[choice % real.applied.length]?.write;
		expect(write && await real.w.payouts.commit(write)).toBe("stale");
		await expectSame(model, real);
	},
	toString: () => `apply again #${choice}`
});
const settleAgain = (choice) => ({
	check: (model) => model.ended > 0,
	run: async (model, real) => {
		const write = real.ended[choice % real.ended.length];
		expect(write && await real.w.payouts.commit(write)).toBe("stale");
		const id = write?.step.payout.id ?? "";
		const stored = await real.w.payouts.get(real.tenantId, id);
		expect(stored).toEqual(write?.step.payout);
		await expectSame(model, real);
	},
	toString: () => `settle again #${choice}`
});
const amount = fc.bigInt({
	min: 1n,
	max: 30n
});
const anyCommands = [
	amount.map((minor) => adjust("in", minor)),
	fc.bigInt({
		min: 1n,
		max: 15n
	}).map((minor) => adjust("out", minor)),
	amount.map(hold),
	amount.map(hold),
	fc.nat(9).map((choice) => end("capture", choice)),
	fc.nat(9).map((choice) => end("release", choice)),
	fc.nat(9).map(applyAgain),
	fc.nat(9).map(settleAgain)
];
// packages/contracts/src/stores/ledger/wallet-store.contract.ts
/** The contract of a `WalletStore`. `payoutStoreContract` proves what payouts move. */
function walletStoreContract(name, open) {
	describe(`wallet store in ${name}`, () => {
		const world = useWorld(open);
		test("a new tenant’s wallet and totals are zero", async () => {
			const w = world();
			const tenant = await w.newTenant();
			expect(await w.wallets.find(tenant.id)).toMatchObject({
				tenantId: tenant.id,
				available: usdt(0n),
				held: usdt(0n),
				createdAt: tenant.createdAt
			});
			expect(await w.wallets.totals(tenant.id)).toEqual(totals({}));
		});
		test("finds no wallet of an unknown tenant", async () => {
			const w = world();
			expect(await w.wallets.find(w.ids.next("ten", someInstant))).toBeUndefined();
		});
		test("adjustments change the balance and the totals", async () => {
			const w = world();
			const { id } = await w.newTenant();
			expect(await adjustWallet(w, adjusting(w, id, "in", 100n))).toBe("committed");
			expect(await adjustWallet(w, adjusting(w, id, "out", 30n))).toBe("committed");
			expect(await w.wallets.find(id)).toMatchObject({
				available: usdt(70n),
				held: usdt(0n)
			});
			expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(70n) }));
		});
		test("concurrent repeats of an adjustment post it once", async () => {
			const w = world();
			const { id } = await w.newTenant();
			const adjustment = adjusting(w, id, "in", 100n);
			await approveAdjustment(w, adjustment);
			const results = await Promise.all(Array.from({ length: 8 }, () => w.wallets.adjust(adjustment)));
			expect(results.filter((result) => result === "committed")).toHaveLength(1);
			expect(results.filter((result) => result === "stale")).toHaveLength(7);
			expect(await w.wallets.find(id)).toMatchObject({ available: usdt(100n) });
			expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n) }));
			expect(await auditEntries(w.audit, {
				subject: id,
				limit: 10
			})).toHaveLength(2);
		});
		test("an adjustment out is limited to the available balance, without holds", async () => {
			const w = world();
			const id = await w.newWallet(usdt(100n));
			await w.newPayout(await w.newQuote(id, { source: usdt(60n) }));
			const before = await w.wallets.find(id);
			const tooMuch = adjusting(w, id, "out", 41n);
			expect(await adjustWallet(w, tooMuch)).toBe("insufficient_balance");
			expect(await w.wallets.find(id)).toEqual(before);
			expect(await w.wallets.totals(id)).toEqual(totals({
				adjusted: usdt(100n),
				held: usdt(60n)
			}));
			expect((await auditEntries(w.audit, {
				subject: id,
				limit: 1
			}))[0]?.after).toMatchObject({ reason: "funds" });
			expect(await adjustWallet(w, adjusting(w, id, "in", 1n))).toBe("committed");
			expect(await adjustWallet(w, tooMuch)).toBe("committed");
		});
		test("an adjustment of a difference that is not open writes nothing", async () => {
			const w = world();
			const id = await w.newWallet(usdt(100n));
			const before = await w.wallets.find(id);
			const booking = {
				...adjusting(w, id, "in", 7n),
				differenceId: w.ids.next("dif", /* @__PURE__ */ new Date(0))
			};
			expect(await adjustWallet(w, booking)).toBe("difference_not_open");
			expect(await w.wallets.find(id)).toEqual(before);
			expect(await w.wallets.totals(id)).toEqual(totals({ adjusted: usdt(100n) }));
		});
		test("an adjustment needs the approved proposal of exactly this adjustment", async () => {
			const w = world();
			const [{ id }, other] = [await w.newTenant(), await w.newTenant()];
			const adjustment = adjusting(w, id, "in", 100n);
			expect(await w.wallets.adjust(adjustment)).toBe("not_approved");
			const { id: proposalId, tenantId, direction, amount, reason, actor } = adjustment;
			const open = openProposalOf({
				id: proposalId,
				tenantId,
				reason,
				actor
			}, {
				type: "adjust_wallet",
				tenantId,
				direction,
				amount
			});
			await w.proposals.insert(open, tokenHashOf(actor));
			expect(await w.wallets.adjust(adjustment)).toBe("not_approved");
			const approval = {
				at: someInstant,
				by: "eva"
			};
			await w.proposals.commit({
				...open,
				status: "approved",
				approval
			}, tokenHashOf("eva"));
			const others = [
				{ amount: usdt(101n) },
				{ direction: "out" },
				{ tenantId: other.id },
				{ actor: "eva" },
				{ reason: "other" }
			];
			for (const over of others) expect(await w.wallets.adjust({
				...adjustment,
				...over
			})).toBe("not_approved");
			expect(await w.wallets.find(id)).toMatchObject({ available: usdt(0n) });
			expect(await w.wallets.adjust(adjustment)).toBe("committed");
			expect(await w.proposals.find(proposalId)).toMatchObject({
				status: "executed",
				approval
			});
			expect(await w.wallets.adjust(adjustment)).toBe("stale");
		});
		test("an adjustment’s audit entry has actor, amount and reason", async () => {
			const w = world();
			const { id } = await w.newTenant();
			const adjustment = {
				...adjusting(w, id, "in", 1500000n),
				actor: "ana",
				reason: "dépôt ñ"
			};
			await adjustWallet(w, adjustment);
			const [row] = await auditEntries(w.audit, {
				subject: id,
				limit: 1
			});
			expect(row).toMatchObject({
				actor: "ana",
				action: "wallet.adjust",
				tenantId: id,
				subject: id,
				before: null,
				after: {
					adjustment_id: adjustment.id,
					direction: "in",
					amount: "1.500000",
					reason: "dépôt ñ"
				}
			});
		});
		test("the totals separate deposits, payouts, adjustments and holds", async () => {
			const w = world();
			const id = await w.newWallet(usdt(100n));
			const source = usdt(10n);
			const completed = await w.newPayout(await w.newQuote(id, { source }));
			const failed = await w.newPayout(await w.newQuote(id, { source }));
			await w.newPayout(await w.newQuote(id, { source }));
			await w.payouts.commit(w.settleCommit(completed, paidAnswer(completed)));
			await w.payouts.commit(w.settleCommit(failed, { type: "refused_payment" }));
			expect(await w.wallets.totals(id)).toEqual(totals({
				adjusted: usdt(100n),
				debited: source,
				held: source
			}));
			expect(await w.wallets.find(id)).toMatchObject({
				available: usdt(80n),
				held: source
			});
		});
		test("the largest amount is adjusted and paid exactly; totals may exceed it", async () => {
			const w = world();
			const { id } = await w.newTenant();
			for (let round = 0; round < 2; round++) {
				expect(await adjustWallet(w, adjusting(w, id, "in", MAX_MINOR))).toBe("committed");
				const source = usdt(MAX_MINOR);
				const payout = await w.newPayout(await w.newQuote(id, { source }));
				expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe("committed");
			}
			const both = usdt(2n * MAX_MINOR);
			expect(await w.wallets.totals(id)).toEqual(totals({
				adjusted: both,
				debited: both
			}));
			expect(await w.wallets.find(id)).toMatchObject({
				available: usdt(0n),
				held: usdt(0n)
			});
		});
		test("updatedAt is the last movement of money, by the store’s clock", async () => {
			const w = world();
			const { id } = await w.newTenant();
			const updatedAt = async () => (await w.wallets.find(id))?.updatedAt.getTime() ?? 0;
			await adjustWallet(w, adjusting(w, id, "in", 100n));
			const quote = await w.newQuote(id, {
				source: usdt(10n),
				lifeSeconds: 300
			});
			const write = w.applyCommit(quote);
			const { payout } = write.step;
			const moves = [
				() => adjustWallet(w, adjusting(w, id, "out", 1n)),
				() => w.payouts.commit(write),
				() => w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))
			];
			for (const move of moves) {
				const before = await updatedAt();
				await w.advance(60);
				expect(await updatedAt()).toBe(before);
				expect(await move()).toBe("committed");
				expect(await updatedAt() - before).toBeGreaterThanOrEqual(6e4);
			}
		});
		test("an adjustment does not change another tenant’s wallet", async () => {
			const w = world();
			const [one, other] = [await w.newWallet(usdt(5n)), await w.newWallet(usdt(7n))];
			expect(await adjustWallet(w, adjusting(w, one, "out", 5n))).toBe("committed");
			expect(await w.wallets.find(other)).toMatchObject({
				tenantId: other,
				available: usdt(7n)
			});
			expect(await w.wallets.totals(other)).toEqual(totals({ adjusted: usdt(7n) }));
		});
	});
}
const totals = (over) => ({
	credited: usdt(0n),
	debited: usdt(0n),
	adjusted: usdt(0n),
	held: usdt(0n),
	...over
});
const adjusting = ({ ids }, tenantId, direction, minor) => ({
	id: ids.uuid(someInstant),
	tenantId,
	direction,
	amount: usdt(minor),
	reason: "test",
	actor: "test"
});
// packages/contracts/src/stores/ledger/wallet-transactions.contract.ts
/** The contract of the transactions that a `WalletStore` lists. */
function walletTransactionsContract(name, open, { runs = 15 } = {}) {
	describe(`wallet transactions in ${name}`, () => {
		const world = useWorld(open, "each");
		const adjust = async (w, tenantId, minor) => {
			const direction = minor < 0n ? "out" : "in";
			const amount = usdt(minor < 0n ? -minor : minor);
			return adjustWallet(w, {
				id: w.ids.uuid(someInstant),
				tenantId,
				direction,
				amount,
				reason: "test",
				actor: "test"
			});
		};
		const all = async (w, tenantId, query = {}) => (await w.wallets.transactions(tenantId, {
			limit: 1e3,
			...query
		})).items;
		const credit = async (w, { due, claimOne }, value) => {
			await due({ value });
			const write = settleDepositCommit(w, await claimOne());
			expect(await w.deposits.commit(write)).toBe("committed");
			return write.step.deposit.id;
		};
		const pay = async (w, tenantId, minor, isPaid = true) => {
			const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(minor) }));
			const answer = isPaid ? paidAnswer(payout) : { type: "refused_payment" };
			expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe("committed");
			return payout;
		};
		test("a new wallet and an unknown wallet have none", async () => {
			const w = world();
			const { id } = await w.newTenant();
			expect(await w.wallets.transactions(id, { limit: 10 })).toEqual({
				items: [],
				next: null
			});
			const unknown = w.ids.next("ten", someInstant);
			expect(await w.wallets.transactions(unknown, { limit: 10 })).toEqual({
				items: [],
				next: null
			});
			expect(await w.wallets.books(unknown)).toBeUndefined();
		});
		test("each movement in or out is one row; a hold and its release have none", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const { tenantId } = builders;
			const depositId = await credit(w, builders, 50000000n);
			await adjust(w, tenantId, 7n);
			const payout = await pay(w, tenantId, 10000000n);
			await pay(w, tenantId, 1000000n, false);
			await w.newPayout(await w.newQuote(tenantId, { source: usdt(3000000n) }));
			await adjust(w, tenantId, -4n);
			const none = {
				payoutId: null,
				depositId: null,
				transactionId: null
			};
			expect(await all(w, tenantId)).toMatchObject([
				{
					...none,
					direction: "out",
					type: "adjustment",
					amount: usdt(4n),
					balanceAfter: usdt(40000003n)
				},
				{
					...none,
					direction: "out",
					type: "payout",
					amount: usdt(10000000n),
					balanceAfter: usdt(40000007n),
					payoutId: payout.id,
					transactionId: payout.transactionId
				},
				{
					...none,
					direction: "in",
					type: "adjustment",
					amount: usdt(7n),
					balanceAfter: usdt(50000007n)
				},
				{
					...none,
					direction: "in",
					type: "deposit",
					amount: usdt(50000000n),
					balanceAfter: usdt(50000000n),
					depositId
				}
			]);
			const pages = await allPages((query) => w.wallets.transactions(tenantId, query), 1);
			expect(pages.flat()).toEqual(await all(w, tenantId));
		});
		test("each row’s id derives from its tenant, instant and sequence number", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			for (let n = 0; n < 3; n++) await adjust(w, tenantId, 5n);
			const rows = await all(w, tenantId);
			expect(rows.map(({ id }) => id)).toEqual(rows.map(({ createdAt, seq }) => walletTransactionId(tenantId, createdAt, seq)));
			expect(rows.map(({ seq }) => seq)).toEqual([
				3n,
				2n,
				1n
			]);
		});
		test("an adjustment is dated by the store’s clock", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			await adjust(w, tenantId, 5n);
			await w.advance(60);
			await adjust(w, tenantId, 5n);
			const [newer, older] = await all(w, tenantId);
			const wallet = await w.wallets.find(tenantId);
			expect(newer?.createdAt).toEqual(wallet?.updatedAt);
			const seconds = ((newer?.createdAt.getTime() ?? 0) - (older?.createdAt.getTime() ?? 0)) / 1e3;
			expect(seconds).toBeGreaterThanOrEqual(60);
			expect(seconds).toBeLessThan(90);
		});
		test("rows stay in order when the store’s clock goes back", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const { tenantId } = builders;
			await adjust(w, tenantId, 50000000n);
			const time = async () => (await w.wallets.find(tenantId))?.updatedAt.getTime() ?? NaN;
			const first = await time();
			for (const move of [
				adjust,
				pay,
				() => credit(w, builders, 5000000n)
			]) {
				await w.advance(-3600);
				await move(w, tenantId, 5000000n);
			}
			const rows = await all(w, tenantId);
			const types = rows.map(({ type }) => type).join();
			expect(types).toBe("deposit,payout,adjustment,adjustment");
			for (const { createdAt } of rows) expect(createdAt.getTime()).toBeGreaterThanOrEqual(first);
			await w.newPayout(await w.newQuote(tenantId));
			expect(await time()).toBeGreaterThanOrEqual(first);
		});
		test("after random concurrent movements each balance is the previous one plus or minus the amount", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const { tenantId } = builders;
			const anyMove = fc.record({
				kind: fc.constantFrom("in", "out", "deposit", "pay", "refused"),
				minor: fc.bigInt({
					min: 1000000n,
					max: 5000000n
				})
			});
			await fc.assert(fc.asyncProperty(fc.array(anyMove, {
				minLength: 1,
				maxLength: 6
			}), async (moves) => {
				const before = await all(w, tenantId);
				await adjust(w, tenantId, 100000000n);
				await builders.due(...moves.filter(({ kind }) => kind === "deposit").map(({ minor }) => ({ value: minor })), { value: 1000000n });
				const claimed = await w.deposits.claimDue(100, 100);
				await Promise.all([...claimed.map((each) => w.deposits.commit(settleDepositCommit(w, each))), ...moves.map(async ({ kind, minor }) => {
					if (kind === "in") await adjust(w, tenantId, minor);
					if (kind === "out") await adjust(w, tenantId, -minor);
					if (kind === "pay" || kind === "refused") await pay(w, tenantId, minor, kind === "pay");
				})]);
				const rows = await all(w, tenantId);
				const refused = moves.filter(({ kind }) => kind === "refused").length;
				expect(rows).toHaveLength(before.length + 2 + moves.length - refused);
				expect(rows.slice(rows.length - before.length)).toEqual(before);
				expectChain(rows);
				await expectBooks(w, tenantId, rows);
			}), { numRuns: runs });
		});
		test("filters select rows and change none", async () => {
			const w = world();
			const builders = await depositBuilders(w);
			const { tenantId } = builders;
			await credit(w, builders, 50000000n);
			await adjust(w, tenantId, 7n);
			await w.advance(60);
			await pay(w, tenantId, 10000000n);
			await adjust(w, tenantId, -4n);
			const rows = await all(w, tenantId);
			const where = (test) => rows.filter(test);
			for (const direction of ["in", "out"]) expect(await all(w, tenantId, { direction })).toEqual(where((row) => row.direction === direction));
			for (const type of [
				"deposit",
				"payout",
				"adjustment"
			]) {
				expect(await all(w, tenantId, { type })).toEqual(where((row) => row.type === type));
				expect(await all(w, tenantId, {
					type,
					direction: "in"
				})).toEqual(where((row) => row.type === type && row.direction === "in"));
			}
			for (const { createdAt } of rows) {
				expect(await all(w, tenantId, {
					from: createdAt,
					to: createdAt
				})).toEqual(where((row) => row.createdAt.getTime() === createdAt.getTime()));
				expect(await all(w, tenantId, { from: createdAt })).toEqual(where((row) => row.createdAt >= createdAt));
				expect(await all(w, tenantId, { to: createdAt })).toEqual(where((row) => row.createdAt <= createdAt));
			}
			const pages = await allPages((query) => w.wallets.transactions(tenantId, {
				...query,
				direction: "in"
			}), 1);
			expect(pages.flat()).toEqual(where((row) => row.direction === "in"));
		});
		test("pages show each row exactly once during movements", async () => {
			const w = world();
			const { id: tenantId } = await w.newTenant();
			for (let n = 0; n < 7; n++) await adjust(w, tenantId, 5n);
			const before = await all(w, tenantId);
			for (const limit of [
				1,
				2,
				3,
				7,
				8
			]) {
				const pages = await allPages((query) => w.wallets.transactions(tenantId, query), limit);
				expect(pages.flat()).toEqual(await all(w, tenantId));
			}
			const seen = [];
			let after;
			do {
				const page = await w.wallets.transactions(tenantId, {
					limit: 2,
					...after && { after }
				});
				seen.push(...page.items);
				await adjust(w, tenantId, 5n);
				after = page.next ?? void 0;
			} while (after !== void 0);
			expect(seen).toEqual(before);
		});
		test("lists only the tenant’s own movements", async () => {
			const w = world();
			const [one, other] = [await w.newWallet(usdt(5n)), await w.newWallet(usdt(7n))];
			expect(await all(w, one)).toMatchObject([{ balanceAfter: usdt(5n) }]);
			expect(await all(w, other)).toMatchObject([{ balanceAfter: usdt(7n) }]);
		});
		test("the books are a consistent snapshot during movements", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(100000000n));
			const moving = Promise.all(Array.from({ length: 10 }, (_, n) => n % 2 === 0 ? pay(w, tenantId, 1000000n) : adjust(w, tenantId, 3n)));
			for (let n = 0; n < 10; n++) {
				const books = await w.wallets.books(tenantId);
				expect(books && isBalanced(books.wallet, books.totals)).toBe(true);
			}
			await moving;
			const books = await w.wallets.books(tenantId);
			expect(books).toEqual({
				wallet: await w.wallets.find(tenantId),
				totals: await w.wallets.totals(tenantId)
			});
		});
	});
}
/** Expects rows newest first whose balances follow from each other. */
function expectChain(rows) {
	for (const [n, { seq, direction, amount, balanceAfter, createdAt }] of rows.entries()) {
		const older = rows[n + 1];
		const change = direction === "in" ? amount.minor : -amount.minor;
		expect(seq).toBeGreaterThan(older?.seq ?? 0n);
		expect(balanceAfter.minor).toBe((older?.balanceAfter.minor ?? 0n) + change);
		expect(createdAt.getTime()).toBeGreaterThanOrEqual(older?.createdAt.getTime() ?? 0);
	}
}
async function expectBooks(w, tenantId, rows) {
	const books = await w.wallets.books(tenantId);
	if (books === void 0) throw new Error("the tenant has a wallet");
	expect(isBalanced(books.wallet, books.totals)).toBe(true);
	const { available, held } = books.wallet;
	expect(rows[0]?.balanceAfter.minor).toBe(available.minor + held.minor);
	const sum = (type, direction) => rows.filter((row) => row.type === type && row.direction === direction).reduce((total, { amount }) => total + amount.minor, 0n);
	expect(books.totals.credited.minor).toBe(sum("deposit", "in"));
	expect(books.totals.debited.minor).toBe(sum("payout", "out"));
	expect(books.totals.adjusted.minor).toBe(sum("adjustment", "in") - sum("adjustment", "out"));
}
// packages/contracts/src/stores/webhook/webhook-store.contract.ts
const later = new Date(someInstant.getTime() + 5e3);
const secret = (n, expiresAt = null) => ({
	ciphertext: `1.ciphertext-${n}`,
	createdAt: someInstant,
	expiresAt
});
/** The contract of a `WebhookStore`. `deliveryStoreContract` proves `reactivate`. */
function webhookStoreContract(name, open) {
	describe(`webhook store in ${name}`, () => {
		const world = useWorld(open);
		test("reads back an endpoint and its secrets as inserted, for its tenant only", async () => {
			const w = world();
			const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)];
			for (const over of [{}, {
				events: ["payout.completed", "deposit.pending"],
				description: null
			}]) {
				const endpoint = await subscriber.newEndpoint(over);
				expect(await w.webhooks.get(subscriber.tenantId, endpoint.id)).toEqual({
					endpoint,
					secrets: [{
						ciphertext: `1.${endpoint.id}`,
						createdAt: someInstant,
						expiresAt: null
					}]
				});
				expect(await w.webhooks.get(otherSubscriber.tenantId, endpoint.id)).toBeUndefined();
			}
			expect(await w.webhooks.get(subscriber.tenantId, w.ids.next("we", someInstant))).toBeUndefined();
		});
		test("lists only the tenant’s endpoints, newest first", async () => {
			const w = world();
			const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)];
			await otherSubscriber.newEndpoint();
			const made = [];
			for (const second of [
				3,
				1,
				1,
				2
			]) {
				const createdAt = new Date(someInstant.getTime() + second * 1e3);
				made.push(await subscriber.newEndpoint({
					id: w.ids.next("we", createdAt),
					createdAt
				}));
			}
			await expectPages(made, (query) => w.webhooks.list(subscriber.tenantId, query));
		});
		test("concurrent inserts stay within `endpointsPerTenant`", async () => {
			const w = world();
			const tenantId = await w.newWallet(usdt(0n));
			const policy = {
				...defaultEndpointPolicy,
				endpointsPerTenant: 3
			};
			const insert = () => {
				const id = w.ids.next("we", someInstant);
				const endpoint = {
					...bare,
					id,
					tenantId
				};
				return w.webhooks.insert({
					endpoint,
					secrets: [secret(1)]
				}, policy);
			};
			const seen = await Promise.all(Array.from({ length: 8 }, insert));
			expect(seen.toSorted()).toEqual([...Array(3).fill("committed"), ...Array(5).fill("limit_reached")]);
			const { items } = await w.webhooks.list(tenantId, { limit: 10 });
			expect(items).toHaveLength(3);
			await w.webhooks.remove(tenantId, items[0]?.id ?? "");
			expect(await insert()).toBe("committed");
		});
		test("renewing replaces secrets that another key encrypted, unless they have changed", async () => {
			const w = world();
			const subscriber = await openSubscriber(w);
			const { tenantId } = subscriber;
			const ids = [(await subscriber.newEndpoint()).id, (await subscriber.newEndpoint()).id];
			const others = async (keyId, after = "", limit = 1e3) => (await w.webhooks.listByOtherKeys(keyId, after, limit)).filter(({ id }) => ids.includes(id));
			const found = await others("2");
			expect(found.map(({ id }) => id)).toEqual(ids.toSorted());
			expect(await others("1")).toEqual([]);
			expect((await others("2", found[0]?.id))[0]).toEqual(found[1]);
			expect(await w.webhooks.listByOtherKeys("2", "", 1)).toHaveLength(1);
			const from = found[0] ?? expect.fail();
			const renewed = [{
				...secret(1),
				ciphertext: "2.renewed"
			}];
			expect(await w.webhooks.renewSecrets(from, renewed)).toBe(true);
			expect(await w.webhooks.renewSecrets(from, renewed)).toBe(false);
			const other = {
				...from,
				tenantId: await w.newWallet(usdt(0n))
			};
			expect(await w.webhooks.renewSecrets(other, renewed)).toBe(false);
			const stored = await w.webhooks.get(tenantId, from.id);
			expect(stored).toMatchObject({
				secrets: renewed,
				endpoint: { updatedAt: someInstant }
			});
			expect((await others("2")).map(({ id }) => id)).toEqual([found[1]?.id]);
			expect(await w.webhooks.keyUse()).toContainEqual({
				keyId: "2",
				count: 1
			});
		});
		test("update changes only the given members", async () => {
			const w = world();
			const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)];
			const { id } = await subscriber.newEndpoint({ events: ["payout.failed"] });
			for (const [change, after] of [
				[{ url: "https://other.example/" }, { url: "https://other.example/" }],
				[{ events: null }, { events: null }],
				[{ description: null }, { description: null }],
				[{}, {}]
			]) {
				const before = (await w.webhooks.get(subscriber.tenantId, id))?.endpoint;
				const updated = await w.webhooks.update(subscriber.tenantId, id, change, later);
				expect(updated).toEqual({
					...before,
					...after,
					updatedAt: later
				});
				expect((await w.webhooks.get(subscriber.tenantId, id))?.endpoint).toEqual(updated);
			}
			expect(await w.webhooks.update(otherSubscriber.tenantId, id, {}, later)).toBeUndefined();
		});
		test("remove deletes the endpoint and its deliveries", async () => {
			const w = world();
			const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)];
			const { id } = await subscriber.newEndpoint();
			const eventId = await subscriber.emitEvent();
			expect(await w.webhooks.queued(subscriber.tenantId, id)).toBe(1);
			expect(await w.webhooks.queued(otherSubscriber.tenantId, id)).toBe(0);
			expect(await w.webhooks.remove(otherSubscriber.tenantId, id)).toBe(false);
			expect(await w.webhooks.remove(subscriber.tenantId, id)).toBe(true);
			expect(await w.webhooks.remove(subscriber.tenantId, id)).toBe(false);
			expect(await w.webhooks.get(subscriber.tenantId, id)).toBeUndefined();
			expect(await w.webhooks.queued(subscriber.tenantId, id)).toBe(0);
			await subscriber.emitEvent();
			const ref = {
				endpointId: id,
				eventId
			};
			expect(await w.deliveries.claim(ref, 30)).toBeUndefined();
		});
		test("concurrent rotations replace the secrets one after the other", async () => {
			const w = world();
			const [subscriber, otherSubscriber] = [await openSubscriber(w), await openSubscriber(w)];
			const { id } = await subscriber.newEndpoint();
			const add = (n) => (secrets) => [secret(n), ...secrets];
			const done = await Promise.all([
				1,
				2,
				3
			].map((n) => w.webhooks.rotate(subscriber.tenantId, id, later, add(n))));
			expect(done).toEqual([
				"committed",
				"committed",
				"committed"
			]);
			const stored = await w.webhooks.get(subscriber.tenantId, id);
			expect(stored?.secrets.map(({ ciphertext }) => ciphertext).toSorted()).toEqual([
				1,
				2,
				3
			].map((n) => secret(n).ciphertext).concat(`1.${id}`).toSorted());
			expect(stored?.endpoint.updatedAt).toEqual(later);
			const expiring = [secret(9), secret(8, later)];
			await w.webhooks.rotate(subscriber.tenantId, id, later, () => expiring);
			expect((await w.webhooks.get(subscriber.tenantId, id))?.secrets).toEqual(expiring);
			expect(await w.webhooks.rotate(subscriber.tenantId, id, later, () => void 0)).toBe("refused");
			expect((await w.webhooks.get(subscriber.tenantId, id))?.secrets).toEqual(expiring);
			expect(await w.webhooks.rotate(otherSubscriber.tenantId, id, later, add(4))).toBe("not_found");
		});
	});
}
const bare = {
	url: "https://hooks.example/",
	events: null,
	description: null,
	status: "active",
	consecutiveFailures: 0,
	pausedAt: null,
	operatorPause: null,
	createdAt: someInstant,
	updatedAt: someInstant
};
// packages/contracts/src/stores/store-contracts.ts
/** The contracts of all stores, for an adapter that provides every store over one database. */
function storeContracts(name, open, runs = {}) {
	payoutStoreContract(name, open, runs);
	networkCallStoreContract(name, open);
	payoutDecisionStoreContract(name, open);
	quoteStoreContract(name, open, runs);
	quotingStoreContract(name, open);
	resolutionStoreContract(name, open, runs);
	walletStoreContract(name, open);
	walletModelContract(name, open, runs);
	tenantStoreContract(name, open, runs);
	apiKeyStoreContract(name, open, runs);
	eventStoreContract(name, open, runs);
	auditLogContract(name, open, runs);
	noticeStoreContract(name, open);
	processStoreContract(name, open);
	rateLimitStoreContract(name, open);
	proposalStoreContract(name, open);
	operatorTokenStoreContract(name, open);
	consoleSessionStoreContract(name, open);
	differenceStoreContract(name, open);
	reconciliationStoreContract(name, open);
	statementStoreContract(name, open, runs);
	topUpAddressStoreContract(name, open);
	scanStoreContract(name, open);
	depositStoreContract(name, open, runs);
	walletTransactionsContract(name, open, runs);
	oneInstantContract(name, open, runs);
	sweepStoreContract(name, open);
	faucetStoreContract(name, open);
	webhookStoreContract(name, open);
	endpointControlStoreContract(name, open);
	deliveryStoreContract(name, open, runs);
	backlogStoreContract(name, open);
	overviewStoreContract(name, open);
}
// packages/postgres/src/batch/binary-array.ts
/**
* An array of one dimension in PostgreSQL's binary format. The driver sends a `Buffer` unchanged, and the
* server parses it in a fraction of the time that the text format takes.
*
* @source PostgreSQL's `array_recv` and the `recv` functions of the element types
*/
function binaryArray(type, values) {
	const { oid, sizeOf, write } = codecs[type];
	let size = headerSize;
	let hasNull = 0;
	for (const value of values) {
		size += 4;
		if (value === null || value === void 0) hasNull = 1;
		else size += sizeOf(value);
	}
	const buffer = Buffer.allocUnsafe(size);
	buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
	buffer.writeInt32BE(hasNull, 4);
	buffer.writeInt32BE(oid, 8);
	if (values.length === 0) return buffer.subarray(0, 12);
	buffer.writeInt32BE(values.length, 12);
	buffer.writeInt32BE(1, 16);
	let place = headerSize;
	for (const value of values) {
		const at = place + 4;
		if (value === null || value === void 0) {
			buffer.writeInt32BE(-1, place);
			place = at;
			continue;
		}
		place = at + write(buffer, value, at);
		buffer.writeInt32BE(place - at, at - 4);
	}
	return buffer;
}
const textArray = (values) => binaryArray("text", values);
const headerSize = 20;
const codecs = {
	text: {
		oid: 25,
		sizeOf: (value) => Buffer.byteLength(value),
		write: (buffer, value, at) => buffer.write(value, at)
	},
	uuid: {
		oid: 2950,
		sizeOf: () => 16,
		write: (buffer, value, at) => {
			if (!isUuid.test(value)) throw new TypeError(`not a UUID: ${value}`);
			return buffer.write(value.replaceAll("-", ""), at, "hex");
		}
	},
	int4: {
		oid: 23,
		sizeOf: () => 4,
		write: (buffer, value, at) => buffer.writeInt32BE(value, at) - at
	},
	int8: {
		oid: 20,
		sizeOf: () => 8,
		write: (buffer, value, at) => buffer.writeBigInt64BE(value, at) - at
	},
	numeric: {
		oid: 1700,
		sizeOf: (value) => numericHeaderSize + 2 * base10000(value).length,
		write: (buffer, value, at) => {
			const digits = base10000(value);
			buffer.writeInt16BE(digits.length, at);
			buffer.writeInt16BE(digits.length - 1, at + 2);
			buffer.writeInt16BE(value < 0n ? numericNegative : 0, at + 4);
			buffer.writeInt16BE(0, at + 6);
			digits.forEach((digit, n) => buffer.writeInt16BE(digit, at + numericHeaderSize + 2 * n));
			return numericHeaderSize + 2 * digits.length;
		}
	},
	float8: {
		oid: 701,
		sizeOf: () => 8,
		write: (buffer, value, at) => buffer.writeDoubleBE(value, at) - at
	},
	bool: {
		oid: 16,
		sizeOf: () => 1,
		write: (buffer, value, at) => buffer.writeInt8(value ? 1 : 0, at) - at
	},
	timestamptz: {
		oid: 1184,
		sizeOf: () => 8,
		write: (buffer, value, at) => {
			const micros = (BigInt(value.getTime()) - postgresEpochMs) * 1000n;
			return buffer.writeBigInt64BE(micros, at) - at;
		}
	}
};
const numericHeaderSize = 8;
const numericNegative = 16384;
/** The digits of the absolute value to base 10000, as `numeric` stores them; none for zero. */
function base10000(value) {
	const digits = [];
	for (let rest = value < 0n ? -value : value; rest > 0n; rest /= 10000n) digits.unshift(Number(rest % 10000n));
	return digits;
}
const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** 2000-01-01, the epoch of PostgreSQL's timestamps. */
const postgresEpochMs = 946684800000n;
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/version.mjs
const VERSION = "1.10.0";
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/internal/semver.mjs
const re = /^(\d+)\.(\d+)\.(\d+)(-(.+))?$/;
/**
* Create a function to test an API version to see if it is compatible with the provided ownVersion.
*
* The returned function has the following semantics:
* - Exact match is always compatible
* - Major versions must match exactly
*    - 1.x package cannot use global 2.x package
*    - 2.x package cannot use global 1.x package
* - The minor version of the API module requesting access to the global API must be less than or equal to the minor version of this API
*    - 1.3 package may use 1.4 global because the later global contains all functions 1.3 expects
*    - 1.4 package may NOT use 1.3 global because it may try to call functions which don't exist on 1.3
* - If the major version is 0, the minor version is treated as the major and the patch is treated as the minor
* - Patch and build tag differences are not considered at this time
*
* @param ownVersion version which should be checked against
*/
function _makeCompatibilityCheck(ownVersion) {
	const acceptedVersions = /* @__PURE__ */ new Set([ownVersion]);
	const rejectedVersions = /* @__PURE__ */ new Set();
	const myVersionMatch = ownVersion.match(re);
	if (!myVersionMatch) return () => false;
	const ownVersionParsed = {
		major: +myVersionMatch[1],
		minor: +myVersionMatch[2],
		patch: +myVersionMatch[3],
		prerelease: myVersionMatch[4]
	};
	if (ownVersionParsed.prerelease != null) return function isExactmatch(globalVersion) {
		return globalVersion === ownVersion;
	};
	function _reject(v) {
		rejectedVersions.add(v);
		return false;
	}
	function _accept(v) {
		acceptedVersions.add(v);
		return true;
	}
	return function isCompatible(globalVersion) {
		if (acceptedVersions.has(globalVersion)) return true;
		if (rejectedVersions.has(globalVersion)) return false;
		const globalVersionMatch = globalVersion.match(re);
		if (!globalVersionMatch) return _reject(globalVersion);
		const globalVersionParsed = {
			major: +globalVersionMatch[1],
			minor: +globalVersionMatch[2],
			patch: +globalVersionMatch[3],
			prerelease: globalVersionMatch[4]
		};
		if (globalVersionParsed.prerelease != null) return _reject(globalVersion);
		if (ownVersionParsed.major !== globalVersionParsed.major) return _reject(globalVersion);
		if (ownVersionParsed.major === 0) {
			if (ownVersionParsed.minor === globalVersionParsed.minor && ownVersionParsed.patch <= globalVersionParsed.patch) return _accept(globalVersion);
			return _reject(globalVersion);
		}
		if (ownVersionParsed.minor <= globalVersionParsed.minor) return _accept(globalVersion);
		return _reject(globalVersion);
	};
}
/**
* Test an API version to see if it is compatible with this API.
*
* - Exact match is always compatible
* - Major versions must match exactly
*    - 1.x package cannot use global 2.x package
*    - 2.x package cannot use global 1.x package
* - The minor version of the API module requesting access to the global API must be less than or equal to the minor version of this API
*    - 1.3 package may use 1.4 global because the later global contains all functions 1.3 expects
*    - 1.4 package may NOT use 1.3 global because it may try to call functions which don't exist on 1.3
* - If the major version is 0, the minor version is treated as the major and the patch is treated as the minor
* - Patch and build tag differences are not considered at this time
*
* @param version version of the API requesting an instance of the global API
*/
const isCompatible = _makeCompatibilityCheck(VERSION);
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/internal/global-utils.mjs
const major = VERSION.split(".")[0];
const GLOBAL_OPENTELEMETRY_API_KEY = Symbol.for(`opentelemetry.js.api.${major}`);
const _global = typeof globalThis === "object" ? globalThis : typeof self === "object" ? self : typeof window === "object" ? window : typeof global === "object" ? global : {};
function _makeGlobalApi() {
	return Object.defineProperty({}, "version", {
		value: VERSION,
		enumerable: true,
		writable: false,
		configurable: false
	});
}
function registerGlobal(type, instance, diag, allowOverride = false) {
	var _global$GLOBAL_OPENTE;
	const api = _global[GLOBAL_OPENTELEMETRY_API_KEY] = (_global$GLOBAL_OPENTE = _global[GLOBAL_OPENTELEMETRY_API_KEY]) !== null && _global$GLOBAL_OPENTE !== void 0 ? _global$GLOBAL_OPENTE : _makeGlobalApi();
	if (!allowOverride && api[type]) {
		const err = /* @__PURE__ */ new Error(`@opentelemetry/api: Attempted duplicate registration of API: ${type}`);
		diag.error(err.stack || err.message);
		return false;
	}
	if (api.version !== "1.10.0") {
		const err = /* @__PURE__ */ new Error(`@opentelemetry/api: Registration of version v${api.version} for ${type} does not match previously registered API v${VERSION}`);
		diag.error(err.stack || err.message);
		return false;
	}
	api[type] = instance;
	diag.debug(`@opentelemetry/api: Registered a global for ${type} v${VERSION}.`);
	return true;
}
let _compatibleGlobalApi;
function getGlobal(type) {
	const api = _global[GLOBAL_OPENTELEMETRY_API_KEY];
	if (api == null) return;
	if (api !== _compatibleGlobalApi) {
		if (!api.version || !isCompatible(api.version)) return;
		_compatibleGlobalApi = api;
	}
	return api[type];
}
function unregisterGlobal(type, diag) {
	diag.debug(`@opentelemetry/api: Unregistering a global for ${type} v${VERSION}.`);
	const api = _global[GLOBAL_OPENTELEMETRY_API_KEY];
	if (api) delete api[type];
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/diag/ComponentLogger.mjs
/**
* Component Logger which is meant to be used as part of any component which
* will add automatically additional namespace in front of the log message.
* It will then forward all message to global diag logger
* @example
* const cLogger = diag.createComponentLogger({ namespace: '@opentelemetry/instrumentation-http' });
* cLogger.debug('test');
* // @opentelemetry/instrumentation-http test
*/
var DiagComponentLogger = class {
	constructor(props) {
		this._namespace = props.namespace || "DiagComponentLogger";
	}
	debug(...args) {
		return logProxy("debug", this._namespace, args);
	}
	error(...args) {
		return logProxy("error", this._namespace, args);
	}
	info(...args) {
		return logProxy("info", this._namespace, args);
	}
	warn(...args) {
		return logProxy("warn", this._namespace, args);
	}
	verbose(...args) {
		return logProxy("verbose", this._namespace, args);
	}
};
function logProxy(funcName, namespace, args) {
	const logger = getGlobal("diag");
	if (!logger) return;
	return logger[funcName](namespace, ...args);
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/diag/internal/logLevelLogger.mjs
function createLogLevelDiagLogger(maxLevel, logger) {
	if (maxLevel < 0) maxLevel = 0;
	else if (maxLevel > 9999) maxLevel = 9999;
	logger = logger || {};
	function _filterFunc(funcName, theLevel) {
		const theFunc = logger[funcName];
		if (typeof theFunc === "function" && maxLevel >= theLevel) return theFunc.bind(logger);
		return function() {};
	}
	return {
		error: _filterFunc("error", 30),
		warn: _filterFunc("warn", 50),
		info: _filterFunc("info", 60),
		debug: _filterFunc("debug", 70),
		verbose: _filterFunc("verbose", 80)
	};
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/api/diag.mjs
const API_NAME$2 = "diag";
/**
* Singleton object which represents the entry point to the OpenTelemetry internal
* diagnostic API
*
* @since 1.0.0
*/
var DiagAPI = class DiagAPI {
	/** Get the singleton instance of the DiagAPI API */
	static instance() {
		if (!this._instance) this._instance = new DiagAPI();
		return this._instance;
	}
	/**
	* Private internal constructor
	* @private
	*/
	constructor() {
		function _logProxy(funcName) {
			return function(...args) {
				const logger = getGlobal("diag");
				if (!logger) return;
				return logger[funcName](...args);
			};
		}
		const self = this;
		const setLogger = (logger, optionsOrLogLevel = { logLevel: 60 }) => {
			var _optionsOrLogLevel$lo;
			if (logger === self) {
				var _err$stack;
				const err = /* @__PURE__ */ new Error("Cannot use diag as the logger for itself. Please use a DiagLogger implementation like ConsoleDiagLogger or a custom implementation");
				self.error((_err$stack = err.stack) !== null && _err$stack !== void 0 ? _err$stack : err.message);
				return false;
			}
			if (typeof optionsOrLogLevel === "number") optionsOrLogLevel = { logLevel: optionsOrLogLevel };
			const oldLogger = getGlobal("diag");
			const newLogger = createLogLevelDiagLogger((_optionsOrLogLevel$lo = optionsOrLogLevel.logLevel) !== null && _optionsOrLogLevel$lo !== void 0 ? _optionsOrLogLevel$lo : 60, logger);
			if (oldLogger && !optionsOrLogLevel.suppressOverrideMessage) {
				var _Error$stack;
				const stack = (_Error$stack = (/* @__PURE__ */ new Error()).stack) !== null && _Error$stack !== void 0 ? _Error$stack : "<failed to generate stacktrace>";
				oldLogger.warn(`Current logger will be overwritten from ${stack}`);
				newLogger.warn(`Current logger will overwrite one already registered from ${stack}`);
			}
			return registerGlobal("diag", newLogger, self, true);
		};
		self.setLogger = setLogger;
		self.disable = () => {
			unregisterGlobal(API_NAME$2, self);
		};
		self.createComponentLogger = (options) => {
			return new DiagComponentLogger(options);
		};
		self.verbose = _logProxy("verbose");
		self.debug = _logProxy("debug");
		self.info = _logProxy("info");
		self.warn = _logProxy("warn");
		self.error = _logProxy("error");
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/context/context.mjs
/**
* Get a key to uniquely identify a context value
*
* @since 1.0.0
*/
function createContextKey(description) {
	return Symbol.for(description);
}
/**
* The root context is used as the default parent context when there is no active context
*
* @since 1.0.0
*/
const ROOT_CONTEXT = new class BaseContext {
	/**
	* Construct a new context which inherits values from an optional parent context.
	*
	* @param parentContext a context from which to inherit values
	*/
	constructor(parentContext) {
		const self = this;
		self._currentContext = parentContext ? new Map(parentContext) : /* @__PURE__ */ new Map();
		self.getValue = (key) => self._currentContext.get(key);
		self.setValue = (key, value) => {
			const context = new BaseContext(self._currentContext);
			context._currentContext.set(key, value);
			return context;
		};
		self.deleteValue = (key) => {
			const context = new BaseContext(self._currentContext);
			context._currentContext.delete(key);
			return context;
		};
	}
}();
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/trace_flags.mjs
/**
* @since 1.0.0
*/
let TraceFlags = /* @__PURE__ */ function(TraceFlags) {
	/** Represents no flag set. */
	TraceFlags[TraceFlags["NONE"] = 0] = "NONE";
	/** Bit to represent whether trace is sampled in trace flags. */
	TraceFlags[TraceFlags["SAMPLED"] = 1] = "SAMPLED";
	return TraceFlags;
}({});
/**
* @since 1.0.0
*/
const INVALID_SPAN_CONTEXT = {
	traceId: "00000000000000000000000000000000",
	spanId: "0000000000000000",
	traceFlags: 0
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/NonRecordingSpan.mjs
/**
* The NonRecordingSpan is the default {@link Span} that is used when no Span
* implementation is available. All operations are no-op including context
* propagation.
*/
var NonRecordingSpan = class {
	constructor(spanContext = INVALID_SPAN_CONTEXT) {
		this._spanContext = spanContext;
	}
	spanContext() {
		return this._spanContext;
	}
	setAttribute(_key, _value) {
		return this;
	}
	setAttributes(_attributes) {
		return this;
	}
	addEvent(_name, _attributes) {
		return this;
	}
	addLink(_link) {
		return this;
	}
	addLinks(_links) {
		return this;
	}
	setStatus(_status) {
		return this;
	}
	updateName(_name) {
		return this;
	}
	end(_endTime) {}
	isRecording() {
		return false;
	}
	recordException(_exception, _time) {}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/spancontext-utils.mjs
const isHex = new Uint8Array([
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	1,
	1,
	1,
	1,
	1,
	1,
	1,
	1,
	1,
	1,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	1,
	1,
	1,
	1,
	1,
	1,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	1,
	1,
	1,
	1,
	1,
	1
]);
function isValidHex(id, length) {
	if (typeof id !== "string" || id.length !== length) return false;
	let r = 0;
	for (let i = 0; i < id.length; i += 4) r += (isHex[id.charCodeAt(i)] | 0) + (isHex[id.charCodeAt(i + 1)] | 0) + (isHex[id.charCodeAt(i + 2)] | 0) + (isHex[id.charCodeAt(i + 3)] | 0);
	return r === length;
}
/**
* @since 1.0.0
*/
function isValidTraceId(traceId) {
	return isValidHex(traceId, 32) && traceId !== "00000000000000000000000000000000";
}
/**
* @since 1.0.0
*/
function isValidSpanId(spanId) {
	return isValidHex(spanId, 16) && spanId !== "0000000000000000";
}
/**
* Returns true if this {@link SpanContext} is valid.
* @return true if this {@link SpanContext} is valid.
*
* @since 1.0.0
*/
function isSpanContextValid(spanContext) {
	return isValidTraceId(spanContext.traceId) && isValidSpanId(spanContext.spanId);
}
/**
* Wrap the given {@link SpanContext} in a new non-recording {@link Span}
*
* @param spanContext span context to be wrapped
* @returns a new non-recording {@link Span} with the provided context
*/
function wrapSpanContext(spanContext) {
	return new NonRecordingSpan(spanContext);
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/context/NoopContextManager.mjs
var NoopContextManager = class {
	active() {
		return ROOT_CONTEXT;
	}
	with(_context, fn, thisArg, ...args) {
		return fn.call(thisArg, ...args);
	}
	bind(_context, target) {
		return target;
	}
	enable() {
		return this;
	}
	disable() {
		return this;
	}
	/** @experimental This API is experimental and may change in minor releases without prior notice. */
	attach(_context) {
		return { dispose() {} };
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/api/context.mjs
const API_NAME$1 = "context";
const NOOP_CONTEXT_MANAGER = new NoopContextManager();
const NOOP_TOKEN = Object.freeze({ dispose: () => {} });
/**
* Singleton object which represents the entry point to the OpenTelemetry Context API
*
* @since 1.0.0
*/
var ContextAPI = class ContextAPI {
	/** Empty private constructor prevents end users from constructing a new instance of the API */
	constructor() {
		this._attachUnsupportedWarned = false;
	}
	/** Get the singleton instance of the Context API */
	static getInstance() {
		if (!this._instance) this._instance = new ContextAPI();
		return this._instance;
	}
	/**
	* Set the current context manager.
	*
	* @returns true if the context manager was successfully registered, else false
	*/
	setGlobalContextManager(contextManager) {
		return registerGlobal(API_NAME$1, contextManager, DiagAPI.instance());
	}
	/**
	* Get the currently active context
	*/
	active() {
		return this._getContextManager().active();
	}
	/**
	* Execute a function with an active context
	*
	* @param context context to be active during function execution
	* @param fn function to execute in a context
	* @param thisArg optional receiver to be used for calling fn
	* @param args optional arguments forwarded to fn
	*/
	with(context, fn, thisArg, ...args) {
		return this._getContextManager().with(context, fn, thisArg, ...args);
	}
	/**
	* Bind a context to a target function or event emitter
	*
	* @param context context to bind to the event emitter or function. Defaults to the currently active context
	* @param target function or event emitter to bind
	*/
	bind(context, target) {
		return this._getContextManager().bind(context, target);
	}
	/**
	* Imperatively sets `context` as active, returning a {@link ContextManagementToken} whose
	* {@link ContextManagementToken.dispose} restores the previous context.
	*
	* This is a delicate, low-level API - prefer {@link with}/{@link bind}, which
	* restore context automatically. Use `attach` only to bridge callback
	* boundaries that `with` cannot wrap. Call `token.dispose()` when the
	* operation is done.
	*
	* **Caveat for async functions:** If called inside an async function before
	* the first `await`, the context change may leak into the caller's context
	* and remain active there. Prefer {@link with} for async code.
	*
	* Support is best-effort and varies by the active ContextManager (see
	* {@link ContextManager.attach}); if it does not implement `attach`, this logs
	* a warning and returns a no-op token.
	*
	* @param context The Context to attach
	* @returns A {@link ContextManagementToken} whose dispose() restores the previous Context
	* @since 1.10.0
	* @experimental This API is experimental and may change in minor releases without prior notice.
	*/
	attach(context) {
		const contextManager = this._getContextManager();
		if (contextManager.attach) return contextManager.attach(context);
		if (!this._attachUnsupportedWarned) {
			this._attachUnsupportedWarned = true;
			DiagAPI.instance().warn("The current ContextManager does not implement attach(). The context will not be attached. Use a ContextManager that supports attach() (e.g. AsyncLocalStorageContextManager) or use with()/bind() instead.");
		}
		return NOOP_TOKEN;
	}
	_getContextManager() {
		return getGlobal(API_NAME$1) || NOOP_CONTEXT_MANAGER;
	}
	/** Disable and remove the global context manager */
	disable() {
		this._getContextManager().disable();
		unregisterGlobal(API_NAME$1, DiagAPI.instance());
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/context-utils.mjs
/**
* span key
*/
const SPAN_KEY = createContextKey("OpenTelemetry Context Key SPAN");
/**
* Return the span if one exists
*
* @param context context to get span from
*/
function getSpan(context) {
	return context.getValue(SPAN_KEY) || void 0;
}
/**
* Gets the span from the current context, if one exists.
*/
function getActiveSpan() {
	return getSpan(ContextAPI.getInstance().active());
}
/**
* Set the span on a context
*
* @param context context to use as parent
* @param span span to set active
*/
function setSpan(context, span) {
	return context.setValue(SPAN_KEY, span);
}
/**
* Remove current span stored in the context
*
* @param context context to delete span from
*/
function deleteSpan(context) {
	return context.deleteValue(SPAN_KEY);
}
/**
* Wrap span context in a NoopSpan and set as span in a new
* context
*
* @param context context to set active span on
* @param spanContext span context to be wrapped
*/
function setSpanContext(context, spanContext) {
	return setSpan(context, new NonRecordingSpan(spanContext));
}
/**
* Get the span context of the span if it exists.
*
* @param context context to get values from
*/
function getSpanContext(context) {
	var _getSpan;
	return (_getSpan = getSpan(context)) === null || _getSpan === void 0 ? void 0 : _getSpan.spanContext();
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/NoopTracer.mjs
const contextApi = ContextAPI.getInstance();
/**
* No-op implementations of {@link Tracer}.
*/
var NoopTracer = class {
	startSpan(name, options, context = contextApi.active()) {
		if (Boolean(options === null || options === void 0 ? void 0 : options.root)) return new NonRecordingSpan();
		const parentFromContext = context && getSpanContext(context);
		if (isSpanContext(parentFromContext) && isSpanContextValid(parentFromContext)) return new NonRecordingSpan(parentFromContext);
		else return new NonRecordingSpan();
	}
	startActiveSpan(name, arg2, arg3, arg4) {
		var _ctx;
		let opts;
		let ctx;
		let fn;
		if (arguments.length < 2) return;
		else if (arguments.length === 2) fn = arg2;
		else if (arguments.length === 3) {
			opts = arg2;
			fn = arg3;
		} else {
			opts = arg2;
			ctx = arg3;
			fn = arg4;
		}
		const parentContext = (_ctx = ctx) !== null && _ctx !== void 0 ? _ctx : contextApi.active();
		const span = this.startSpan(name, opts, parentContext);
		const contextWithSpanSet = setSpan(parentContext, span);
		return contextApi.with(contextWithSpanSet, fn, void 0, span);
	}
};
function isSpanContext(spanContext) {
	return spanContext !== null && typeof spanContext === "object" && "spanId" in spanContext && typeof spanContext["spanId"] === "string" && "traceId" in spanContext && typeof spanContext["traceId"] === "string" && "traceFlags" in spanContext && typeof spanContext["traceFlags"] === "number";
}
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/ProxyTracer.mjs
const NOOP_TRACER = new NoopTracer();
/**
* Proxy tracer provided by the proxy tracer provider
*
* @since 1.0.0
*/
var ProxyTracer = class {
	constructor(provider, name, version, options) {
		this._provider = provider;
		this.name = name;
		this.version = version;
		this.options = options;
	}
	startSpan(name, options, context) {
		return this._getTracer().startSpan(name, options, context);
	}
	startActiveSpan(_name, _options, _context, _fn) {
		const tracer = this._getTracer();
		return Reflect.apply(tracer.startActiveSpan, tracer, arguments);
	}
	/**
	* Try to get a tracer from the proxy tracer provider.
	* If the proxy tracer provider has no delegate, return a noop tracer.
	*/
	_getTracer() {
		if (this._delegate) return this._delegate;
		const tracer = this._provider.getDelegateTracer(this.name, this.version, this.options);
		if (!tracer) return NOOP_TRACER;
		this._delegate = tracer;
		return this._delegate;
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/span_kind.mjs
/**
* @since 1.0.0
*/
let SpanKind = /* @__PURE__ */ function(SpanKind) {
	/** Default value. Indicates that the span is used internally. */
	SpanKind[SpanKind["INTERNAL"] = 0] = "INTERNAL";
	/**
	* Indicates that the span covers server-side handling of an RPC or other
	* remote request.
	*/
	SpanKind[SpanKind["SERVER"] = 1] = "SERVER";
	/**
	* Indicates that the span covers the client-side wrapper around an RPC or
	* other remote request.
	*/
	SpanKind[SpanKind["CLIENT"] = 2] = "CLIENT";
	/**
	* Indicates that the span describes producer sending a message to a
	* broker. Unlike client and server, there is no direct critical path latency
	* relationship between producer and consumer spans.
	*/
	SpanKind[SpanKind["PRODUCER"] = 3] = "PRODUCER";
	/**
	* Indicates that the span describes consumer receiving a message from a
	* broker. Unlike client and server, there is no direct critical path latency
	* relationship between producer and consumer spans.
	*/
	SpanKind[SpanKind["CONSUMER"] = 4] = "CONSUMER";
	return SpanKind;
}({});
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/status.mjs
/**
* An enumeration of status codes.
*
* @since 1.0.0
*/
let SpanStatusCode = /* @__PURE__ */ function(SpanStatusCode) {
	/**
	* The default status.
	*/
	SpanStatusCode[SpanStatusCode["UNSET"] = 0] = "UNSET";
	/**
	* The operation has been validated by an Application developer or
	* Operator to have completed successfully.
	*/
	SpanStatusCode[SpanStatusCode["OK"] = 1] = "OK";
	/**
	* The operation contains an error.
	*/
	SpanStatusCode[SpanStatusCode["ERROR"] = 2] = "ERROR";
	return SpanStatusCode;
}({});
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/NoopTracerProvider.mjs
/**
* An implementation of the {@link TracerProvider} which returns an impotent
* Tracer for all calls to `getTracer`.
*
* All operations are no-op.
*/
var NoopTracerProvider = class {
	getTracer(_name, _version, _options) {
		return new NoopTracer();
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace/ProxyTracerProvider.mjs
const NOOP_TRACER_PROVIDER = new NoopTracerProvider();
/**
* Tracer provider which provides {@link ProxyTracer}s.
*
* Before a delegate is set, tracers provided are NoOp.
*   When a delegate is set, traces are provided from the delegate.
*   When a delegate is set after tracers have already been provided,
*   all tracers already provided will use the provided delegate implementation.
*
* @deprecated This will be removed in the next major version.
* @since 1.0.0
*/
var ProxyTracerProvider = class {
	/**
	* Get a {@link ProxyTracer}
	*/
	getTracer(name, version, options) {
		var _this$getDelegateTrac;
		return (_this$getDelegateTrac = this.getDelegateTracer(name, version, options)) !== null && _this$getDelegateTrac !== void 0 ? _this$getDelegateTrac : new ProxyTracer(this, name, version, options);
	}
	getDelegate() {
		var _this$_delegate;
		return (_this$_delegate = this._delegate) !== null && _this$_delegate !== void 0 ? _this$_delegate : NOOP_TRACER_PROVIDER;
	}
	/**
	* Set the delegate tracer provider
	*/
	setDelegate(delegate) {
		this._delegate = delegate;
	}
	getDelegateTracer(name, version, options) {
		var _this$_delegate2;
		return (_this$_delegate2 = this._delegate) === null || _this$_delegate2 === void 0 ? void 0 : _this$_delegate2.getTracer(name, version, options);
	}
};
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/context-api.mjs
/**
* Entrypoint for context API
* @since 1.0.0
*/
const context = ContextAPI.getInstance();
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/api/trace.mjs
const API_NAME = "trace";
// ../../.pnpm/@opentelemetry+api@1.10.0/node_modules/@opentelemetry/api/dist/trace-api.mjs
/**
* Entrypoint for trace API
*
* @since 1.0.0
*/
const trace = class TraceAPI {
	/** Empty private constructor prevents end users from constructing a new instance of the API */
	constructor() {
		this._proxyTracerProvider = new ProxyTracerProvider();
		this.wrapSpanContext = wrapSpanContext;
		this.isSpanContextValid = isSpanContextValid;
		this.deleteSpan = deleteSpan;
		this.getSpan = getSpan;
		this.getActiveSpan = getActiveSpan;
		this.getSpanContext = getSpanContext;
		this.setSpan = setSpan;
		this.setSpanContext = setSpanContext;
	}
	/** Get the singleton instance of the Trace API */
	static getInstance() {
		if (!this._instance) this._instance = new TraceAPI();
		return this._instance;
	}
	/**
	* Set the current global tracer.
	*
	* @returns true if the tracer provider was successfully registered, else false
	*/
	setGlobalTracerProvider(provider) {
		const success = registerGlobal(API_NAME, this._proxyTracerProvider, DiagAPI.instance());
		if (success) this._proxyTracerProvider.setDelegate(provider);
		return success;
	}
	/**
	* Returns the global tracer provider.
	*/
	getTracerProvider() {
		return getGlobal(API_NAME) || this._proxyTracerProvider;
	}
	/**
	* Returns a tracer from the global tracer provider.
	*/
	getTracer(name, version) {
		return this.getTracerProvider().getTracer(name, version);
	}
	/** Remove the global tracer provider */
	disable() {
		unregisterGlobal(API_NAME, DiagAPI.instance());
		this._proxyTracerProvider = new ProxyTracerProvider();
	}
}.getInstance();
// packages/tracing/src/active-span.ts
/**
* The span of the work under way, which may have ended when the work outlives its request. Undefined without an SDK,
* and in work whose trace is not sampled: its spans are never entered into the context.
*/
function activeSpan() {
	const span = trace.getActiveSpan();
	if (span === void 0) return void 0;
	return (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0 ? void 0 : span;
}
/**
* Runs work outside the active trace: what other work shares, such as the timer of a batch, and requests and tasks
* that begin in the context of an earlier one, such as the next request on a connection.
*/
const untraced = (run) => trace.getActiveSpan() === void 0 ? run() : context.with(ROOT_CONTEXT, run);
// packages/tracing/src/child-span.ts
/**
* Runs work in a child of the active span, and records how it ended. Without an active span it runs the work
* alone.
*/
function inChildSpan(facts, work) {
	if (activeSpan() === void 0) return work(void 0);
	return inSpan(startSpan(facts), work);
}
/** A child of the active span. The caller ends it. */
const startSpan = ({ scope, name, kind, attributes = {} }) => trace.getTracer(scope).startSpan(name, {
	kind: spanKinds[kind],
	attributes
});
/** The kinds by the names of the conventions. */
const spanKinds = {
	client: SpanKind.CLIENT,
	consumer: SpanKind.CONSUMER,
	internal: SpanKind.INTERNAL,
	producer: SpanKind.PRODUCER
};
/** Runs work in a span, and ends the span when the work has ended. */
async function inSpan(span, work) {
	try {
		return await context.with(trace.setSpan(context.active(), span), work, void 0, span);
	} catch (error) {
		recordError(span, error);
		throw error;
	} finally {
		span.end();
	}
}
/**
* Marks a span as failed. Records the error's code or name; its message may contain data, and is in the log line
* with the same `trace_id`.
*/
function recordError(span, error) {
	span.setAttribute("error.type", errorType(error));
	span.setStatus({ code: SpanStatusCode.ERROR });
}
/** Such as `ECONNREFUSED`, an SQLSTATE, or `Unavailable`. The code of a cause comes first. */
function errorType(error) {
	if (!(error instanceof Error)) return "_OTHER";
	if (error.cause instanceof Error && "code" in error.cause) return errorType(error.cause);
	return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
// packages/tracing/src/queued-span.ts
/**
* Starts a child of the active span for one item of a future batch; undefined without an active span.
*
* A batch serves many traces, so it has no span of its own: the span of each item lasts from the queue to the
* answer, and says when the batch started and how many items it had.
*/
function queuedSpan(facts) {
	return activeSpan() === void 0 ? void 0 : queued(startSpan(facts));
}
const queued = (span) => ({
	started: (batchSize) => {
		span.addEvent("batch started");
		if (batchSize > 1) span.setAttribute("db.operation.batch.size", batchSize);
	},
	end: () => span.end(),
	fail: (error) => {
		recordError(span, error);
		span.end();
	}
});
// packages/tracing/src/stored-trace.ts
/**
* The active span as the text of a `traceparent` header, to be stored with what later work continues. Undefined
* when the trace is not sampled, so that nothing is stored for it.
*/
function activeTraceparent() {
	const span = activeSpan();
	if (span === void 0) return void 0;
	const { traceId, spanId } = span.spanContext();
	return `00-${traceId}-${spanId}-01`;
}
// packages/postgres/src/connection/statement-span.ts
/** The span of a statement, or of an item of a batch that calls it. Its parameters are not recorded. */
const statementSpan = (name) => ({
	scope: "@quipu/postgres",
	name,
	kind: "client",
	attributes: {
		"db.system.name": "postgresql",
		"db.query.summary": name
	}
});
// packages/postgres/src/batch/natural-batches.ts
/**
* Above this size a larger batch hardly lowers the cost of an item. So further items go to the next free
* slot, which uses another core of the database.
*/
const sizeEnough = 32;
/**
* Runs queued items in batches as soon as a slot is free, without a timer: at low load a batch is one item,
* under load it is all that was queued while the slots were busy. Batches start once a turn of the event
* loop, so items that are added in one turn share a batch.
*
* @param name of the batches' statement: each item has a span of its own in the trace of its caller
* @param slots how many batches run at once, with those of other kinds that share the slots; `run` gets the
*   slot of its batch, for instance a connection
* @param run returns one outcome an item, in the order of the items; an error that it throws becomes the
*   outcome of each of them
*/
function naturalBatches(name, slots, sizeMax, run) {
	const running = /* @__PURE__ */ new Set();
	const queue = [];
	const spanFacts = statementSpan(name);
	let turn;
	const schedule = () => {
		turn ??= untraced(() => setImmediate(startBatches));
	};
	const startBatches = () => {
		turn = void 0;
		while (queue.length > 0) {
			const slot = slots.take(schedule);
			if (slot === void 0) return;
			const share = Math.ceil(queue.length / (1 + slots.freeCount()));
			start(slot, queue.splice(0, Math.min(sizeMax, Math.max(sizeEnough, share))));
		}
		slots.leave(schedule);
	};
	const start = (slot, batch) => {
		const work = answer(slot, batch).finally(() => {
			running.delete(work);
			slots.give(slot);
			if (queue.length > 0) schedule();
		});
		running.add(work);
	};
	const answer = async (slot, batch) => {
		for (const { span } of batch) span?.started(batch.length);
		const items = batch.map(({ item }) => item);
		const outcomes = await run(slot, items).catch((error) => items.map(() => ({ error })));
		batch.forEach((waiting, place) => settle(waiting, outcomes[place] ?? withoutOutcome()));
	};
	return {
		add: (item) => new Promise((resolve, reject) => {
			queue.push({
				item,
				resolve,
				reject,
				span: queuedSpan(spanFacts)
			});
			schedule();
		}),
		idle: async () => {
			while (queue.length > 0 || running.size > 0) {
				await Promise.all(running);
				await new Promise(setImmediate);
			}
		}
	};
}
const withoutOutcome = () => ({ error: /* @__PURE__ */ new Error("a batch left an item without an outcome") });
function settle({ resolve, reject, span }, outcome) {
	if ("error" in outcome) {
		span?.fail(outcome.error);
		reject(outcome.error);
	} else {
		span?.end();
		resolve(outcome.result);
	}
}
// packages/postgres/src/batch/slots.ts
/** A slot that is given goes to the taker that has waited longest, so no kind holds up another. */
function sharedSlots(all) {
	const free = [...all];
	const waiting = /* @__PURE__ */ new Set();
	const kept = /* @__PURE__ */ new Map();
	const give = (slot) => {
		const [first] = waiting;
		if (first === void 0) {
			free.push(slot);
			return;
		}
		waiting.delete(first);
		kept.set(first, slot);
		first();
	};
	const takeKept = (taker) => {
		const slot = kept.get(taker);
		kept.delete(taker);
		return slot;
	};
	return {
		take(taker) {
			const slot = takeKept(taker) ?? free.shift();
			if (slot === void 0) waiting.add(taker);
			return slot;
		},
		give,
		leave(taker) {
			waiting.delete(taker);
			const slot = takeKept(taker);
			if (slot !== void 0) give(slot);
		},
		freeCount: () => free.length
	};
}
// packages/postgres/src/batch/shared-statement.ts
const itemsMax = 64;
/**
* One row an item of a statement. Concurrent calls share one statement, as most of its cost does not depend on
* their number. After a fault of one item each is sent again singly, so a statement that writes must be repeatable.
*
* @param name of the statement
* @param rowsOf  sends it; returns one row an item, in the order of the items
*/
function sharedStatement(name, rowsOf) {
	const outcomesOf = async (items) => {
		const rows = await rowsOf(items);
		return items.map((_, place) => {
			const row = rows[place];
			if (row !== void 0) return { result: row };
			return { error: /* @__PURE__ */ new Error(`${name} returned no row for an item`) };
		});
	};
	const single = (item) => outcomesOf([item]).catch((error) => [{ error }]);
	return naturalBatches(name, sharedSlots(["first"]), itemsMax, async (_, items) => {
		try {
			return await outcomesOf(items);
		} catch (error) {
			return error instanceof Unavailable || items.length === 1 ? items.map(() => ({ error })) : (await Promise.all(items.map(single))).flat();
		}
	}).add;
}
// packages/postgres/src/page.ts
/** The parameters of a keyset page: the row after which it begins, and one row more than the page shows. */
const keysetOf = ({ after, limit }) => [
	after?.createdAt ?? "infinity",
	after?.id ?? "",
	limit + 1
];
/**
* The bounds of a keyset page over ids that begin with their creation instant, to the millisecond: turns
* bounds in time into bounds of ids. `to` is inclusive, in whole milliseconds.
*/
function idBoundsOf(prefix, { after, from, to }) {
	const end = to ? lowestId(prefix, new Date(to.getTime() + 1)) : `${prefix}_~`;
	const since = from ? lowestId(prefix, from) : "";
	return [after !== void 0 && after.id < end ? after.id : end, since];
}
/** As `idBoundsOf`, for the ids of events: version 7 UUIDs. */
function eventIdBoundsOf({ after, from, to }) {
	const end = to ? lowestEventId(to.getTime() + 1) : "ffffffff-ffff-ffff-ffff-ffffffffffff";
	return [after !== void 0 && after.id < end ? after.id : end, lowestEventId(from?.getTime() ?? 0)];
}
/** @param ms  since 1970 */
function lowestEventId(ms) {
	const digits = ms.toString(16).padStart(12, "0");
	return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
/** A page of at most `limit` rows. One more row in `rows` means that there is a next page. */
function pageOf(rows, limit) {
	const items = rows.slice(0, limit);
	const last = items.at(-1);
	return {
		items,
		next: last && rows.length > limit ? {
			createdAt: last.createdAt,
			id: last.id
		} : null
	};
}
/**
* How many rows a page reads at most where the filter has no index. If few rows match, the page is shorter
* than its limit and still has a next page, so that the time of a page is bounded.
*/
const scannedMax = 2e3;
/**
* As `pageOf`, for a page that may have stopped at `scannedMax` rows.
*
* @param lastScanned reads the last of the `scannedMax` rows; undefined when there are fewer
*/
async function scannedPageOf(rows, limit, lastScanned) {
	const page = pageOf(rows, limit);
	const scanned = rows.length > limit ? void 0 : await lastScanned();
	if (scanned === void 0) return page;
	const last = page.items.at(-1);
	const next = last !== void 0 && isOlder(last, scanned) ? last : scanned;
	return {
		items: page.items,
		next: {
			createdAt: next.createdAt,
			id: next.id
		}
	};
}
const isOlder = (a, b) => a.createdAt < b.createdAt || a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id;
// packages/postgres/src/tenant/tenant-row.ts
const names$1 = [
	"id",
	"legal_name",
	"contact_name",
	"contact_email",
	"status",
	"margin_bps",
	"fee_bps",
	"fee_fixed",
	"payment_cap",
	"created_at",
	"revision"
];
const limits = ["daily_limit_amount", "daily_limit_count"];
/** The columns of the tables `t` (tenants) and `w` (wallets) that `tenantFromRow` needs. */
const tenantColumns = [...names$1.map((name) => `t.${name} as tenant_${name}`), ...limits.map((name) => `w.${name} as tenant_${name}`)].join(", ");
/**
* The lateral join of what wallet `w` has used of its daily limits, and its columns.
*
* @param clock  the parameter with the clock override
*/
const dailyUse = (clock) => ({
	columns: "u.amount as used_amount, u.count as used_count",
	join: `cross join quipu.daily_use(w, quipu.store_now(${clock})) u`
});
const dailyUseFromRow = (row) => ({
	amount: usdt(row.used_amount),
	count: row.used_count
});
const tenantRecordFromRow = (row) => ({
	...tenantFromRow(row),
	usedToday: dailyUseFromRow(row)
});
const tenantFromRow = (row) => ({
	id: row.tenant_id,
	legalName: row.tenant_legal_name,
	technicalContact: {
		name: row.tenant_contact_name,
		email: row.tenant_contact_email
	},
	status: row.tenant_status,
	pricing: {
		marginBps: row.tenant_margin_bps,
		feeBps: row.tenant_fee_bps,
		feeFixed: usdt(row.tenant_fee_fixed),
		paymentCap: bob(row.tenant_payment_cap)
	},
	dailyLimits: {
		amount: row.tenant_daily_limit_amount === null ? null : usdt(row.tenant_daily_limit_amount),
		count: row.tenant_daily_limit_count
	},
	createdAt: row.tenant_created_at,
	revision: row.tenant_revision
});
// packages/postgres/src/tenant/api-key-store.ts
const keyColumns = `
  k.id, k.tenant_id as key_tenant_id, k.name, k.prefix, k.last_four, k.hash, k.scopes,
  k.created_at, k.activated_at, k.last_used_at, k.expires_at, k.revoked_at,
  k.replaces, k.overlap_hours, k.allowed_addresses`;
const keyFromRow = (row) => ({
	id: row.id,
	tenantId: row.key_tenant_id,
	name: row.name,
	prefix: row.prefix,
	lastFour: row.last_four,
	hash: row.hash,
	scopes: row.scopes,
	createdAt: row.created_at,
	activatedAt: row.activated_at,
	lastUsedAt: row.last_used_at,
	expiresAt: row.expires_at,
	revokedAt: row.revoked_at,
	replaces: row.replaces === null ? null : {
		keyId: row.replaces,
		overlapHours: row.overlap_hours ?? 0
	},
	allowedAddresses: row.allowed_addresses
});
const issueApiKey = {
	name: "issue_api_key",
	text: "select quipu.issue_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as result"
};
const proposeApiKey = {
	name: "propose_api_key",
	text: `select quipu.propose_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19) as result`
};
const setAllowedAddresses = {
	name: "set_allowed_addresses",
	text: "select quipu.set_allowed_addresses($1, $2, $3, $4, $5) as result"
};
const findKey = {
	name: "api_key.find",
	text: `select ${keyColumns} from quipu.api_key k where k.id = $1`
};
const findCaller = {
	name: "api_key.find_caller",
	text: `
    select caller.*
    from unnest($1::text[]) with ordinality i (hash, place)
    left join lateral (
      select ${keyColumns}, ${tenantColumns}
      from quipu.api_key k join quipu.tenant t on t.id = k.tenant_id
        join quipu.wallet w on w.tenant_id = t.id
      where k.hash = i.hash limit 1
    ) caller on true
    order by i.place`
};
const listKeys = {
	name: "api_key.list",
	text: `
    select ${keyColumns} from quipu.api_key k
    where k.tenant_id = $4 and (k.created_at, k.id) < ($1, $2)
    order by k.created_at desc, k.id desc limit $3`
};
const revokeApiKey = {
	name: "revoke_api_key",
	text: "select quipu.revoke_api_key($1, $2, $3, $4) as revoked"
};
/** Updates the rows in the order of their ids, so that the statements of two processes cannot deadlock. */
const touchApiKey = {
	name: "touch_api_key",
	text: `
    select quipu.touch_api_key(i.tenant_id, i.id, i.at)
    from (
      select * from unnest($1::text[], $2::text[], $3::timestamptz[]) u (tenant_id, id, at)
      order by u.id offset 0
    ) i`
};
/** Concurrent touches share one statement and its commit. Repeating a touch changes nothing: the latest instant stays. */
function touching(database) {
	const touch = sharedStatement(touchApiKey.name, (touches) => database.query(touchApiKey, [
		textArray(touches.map(({ tenantId }) => tenantId)),
		textArray(touches.map(({ id }) => id)),
		binaryArray("timestamptz", touches.map(({ at }) => at))
	]));
	return async ({ tenantId, id }, at) => void await touch({
		tenantId,
		id,
		at
	});
}
/** Concurrent readings share one statement. */
function callerByHash(database) {
	const rowOf = sharedStatement(findCaller.name, (hashes) => database.readLatest(findCaller, [hashes]));
	return async (hash) => {
		const row = await rowOf(hash);
		return row.id === null ? void 0 : {
			tenant: tenantFromRow(row),
			key: keyFromRow(row)
		};
	};
}
/** API keys in PostgreSQL, found by the hash of the whole key. */
const postgresApiKeyStore = (database) => ({
	issue: async (key, tokenHash) => resultOf$2(await database.write(issueApiKey, [
		...keptOf(key),
		tokenHash,
		key.createdAt
	])),
	propose: async (key, { id, reason, evidence, proposedBy, createdAt, expiresAt }, tokenHash) => {
		const support = [
			id,
			reason,
			evidence?.note ?? null,
			evidence?.digest ?? null
		];
		const author = [
			proposedBy,
			tokenHash,
			createdAt,
			expiresAt
		];
		return resultOf$2(await database.write(proposeApiKey, [
			...keptOf(key),
			...support,
			...author
		]));
	},
	setAllowedAddresses: async ({ tenantId, id }, addresses, { tokenHash, at }) => resultOf$2(await database.write(setAllowedAddresses, [
		tenantId,
		id,
		addresses,
		tokenHash,
		at
	])),
	find: async (id) => {
		const [row] = await database.read(findKey, [id]);
		return row && keyFromRow(row);
	},
	findCaller: callerByHash(database),
	list: async (tenantId, query) => {
		return pageOf((await database.read(listKeys, [...keysetOf(query), tenantId])).map(keyFromRow), query.limit);
	},
	revoke: async ({ tenantId, id }, { actor, at }) => {
		const values = [
			tenantId,
			id,
			actor,
			at
		];
		const [row] = await database.write(revokeApiKey, values);
		return row?.revoked ? "committed" : "stale";
	},
	touch: touching(database)
});
const keptOf = ({ tenantId, id, name, prefix, lastFour, hash, ...key }) => [...[
	tenantId,
	id,
	name,
	prefix,
	lastFour,
	hash,
	key.scopes,
	key.expiresAt
], ...[
	key.allowedAddresses,
	key.replaces?.keyId ?? null,
	key.replaces?.overlapHours ?? null
]];
function resultOf$2([row]) {
	if (row === void 0) throw new Error("the function returned no row");
	return row.result;
}
// packages/postgres/src/tenant/audit-log.ts
const json = (state) => state === null ? null : JSON.stringify(state);
const recordRefusal = {
	name: "record_refusal",
	text: "select quipu.record_refusal($1, $2, $3, $4, $5, $6)"
};
/** The slice's last entry before its first flaw, the flaw, and the number of its entries. */
const verifyEntries = {
	name: "verify_audit_log",
	text: `
    with checked as materialized (select * from quipu.verify_audit_log($1, decode($2, 'hex'), $3)),
      flaw as (select id, flaw from checked where flaw is not null order by id limit 1),
      verified as (
        select id, encode(hash, 'hex') as hash from checked
        where id > $1 and id < coalesce((select f.id from flaw f), 9223372036854775807)
        order by id desc limit 1
      )
    select f.id as flaw_id, f.flaw, v.id, v.hash,
      (select count(*) from checked c where c.id > $1 and c.hash is not null) as count
    from (values (1)) one left join flaw f on true left join verified v on true`
};
/** The audit log in PostgreSQL. A function that makes a change also writes its entry. */
const postgresAuditLog = (database) => ({
	record: async ({ actor, action, tenantId, subject, at, after }) => {
		await database.query(recordRefusal, [
			actor,
			action,
			tenantId,
			subject,
			at,
			json(after)
		]);
	},
	list: (query) => {
		const { statement, values } = listStatement(query);
		return database.read(statement, values);
	},
	verify: async (after, entries) => {
		const values = [
			after.id,
			after.hash,
			entries
		];
		const [row] = await database.read(verifyEntries, values);
		return sliceFromRow(after, row);
	}
});
const columns$1 = {
	id: "a.id",
	hash: `encode(a.hash, 'hex') as hash`,
	actor: "a.actor",
	action: "a.action",
	tenantId: "a.tenant_id as \"tenantId\"",
	subject: "a.subject",
	at: "a.at",
	before: "a.before",
	after: "a.after"
};
const conditions = {
	subject: "a.subject =",
	tenantId: "a.tenant_id =",
	actor: "a.actor =",
	action: "a.action =",
	from: "a.at >=",
	to: "a.at <=",
	before: "a.id <"
};
/** The statement with the filters of the query only, so that the planner finds the index of each. */
function listStatement(query) {
	const filters = Object.keys(conditions).filter((name) => query[name] !== void 0);
	const where = filters.map((name, index) => `${conditions[name]} $${index + 2}`);
	const text = `
    select ${Object.values(columns$1).join(", ")} from quipu.audit_log a
    ${where.length > 0 ? `where ${where.join(" and ")}` : ""} order by a.id desc limit $1`;
	return {
		statement: {
			name: ["audit.list", ...filters].join("_"),
			text
		},
		values: [query.limit, ...filters.map((filter) => query[filter])]
	};
}
function sliceFromRow(after, row) {
	const { flaw_id: flawId = null, flaw: detail = null, id = null, hash = null } = row ?? {};
	return {
		flaw: flawId === null || detail === null ? null : {
			id: flawId,
			detail
		},
		verified: id === null || hash === null ? after : {
			id,
			hash
		},
		count: Number(row?.count ?? 0)
	};
}
// packages/postgres/src/ledger/ledger-ages.ts
/**
* For each kind of check, the wallet that was checked longest ago, and one that was not checked yet, which counts
* from its creation: a new tenant must not hide that the check stands.
*/
const readAges = {
	name: "ledger_check.ages",
	text: `
    with oldest as (
      (select tenant_id, 'check' as kind, checked_at as at from quipu.ledger_check
        where checked_at > '-infinity' order by checked_at limit 1)
      union all
      (select tenant_id, 'check', checked_at from quipu.ledger_check
        where checked_at = '-infinity' limit 1)
      union all
      (select tenant_id, 'recheck', rechecked_at from quipu.ledger_check
        where rechecked_at > '-infinity' order by rechecked_at limit 1)
      union all
      (select tenant_id, 'recheck', rechecked_at from quipu.ledger_check
        where rechecked_at = '-infinity' limit 1)
    ), aged as (
      select o.kind,
        extract(epoch from quipu.store_now($1) - greatest(o.at, w.created_at))::float8 as seconds
      from oldest o join quipu.wallet w on w.tenant_id = o.tenant_id
    )
    select greatest(0, coalesce(max(a.seconds) filter (where a.kind = 'check'), 0)) as "uncheckedSeconds",
      greatest(0, coalesce(max(a.seconds) filter (where a.kind = 'recheck'), 0)) as "unrecheckedSeconds"
    from aged a`
};
/** The ages of the ledger check, from its two indexes. */
async function ledgerAges(database) {
	const [ages] = await database.query(readAges, [database.clockOverride()]);
	return ages ?? {
		uncheckedSeconds: 0,
		unrecheckedSeconds: 0
	};
}
// packages/postgres/src/backlog/backlog-store.ts
/**
* One row a pace. Only endpoints that may have a due delivery are read: those with open deliveries, with expired
* runs, with a due cursor, and those of tenants in signals that no claim has read yet. For each of them, three
* lookups find the oldest one: among its open deliveries, its expired runs, and the entries past its cursor.
* Counting stops at the limit.
*/
const deliveries = {
	name: "backlog.deliveries",
	text: `
    with recursive clock as materialized (select quipu.store_now($1) as now),
    open_endpoint (id) as (
      (select d.endpoint_id from quipu.delivery_open d order by d.endpoint_id limit 1)
      union all
      select next.id from open_endpoint o cross join lateral (
        select d.endpoint_id as id from quipu.delivery_open d
        where d.endpoint_id > o.id order by d.endpoint_id limit 1
      ) next
    ),
    candidate (id) as materialized (
      select o.id from open_endpoint o
      union
      select r.endpoint_id from clock k cross join quipu.delivery_run r where r.leased_until <= k.now
      union
      select c.endpoint_id from quipu.delivery_cursor c where c.is_due
      union
      select c.endpoint_id from (
        select distinct t.id from quipu.delivery_signal s cross join unnest(s.tenant_ids) t (id)
      ) t cross join lateral (
        select c.endpoint_id from quipu.delivery_cursor c where c.tenant_id = t.id offset 0
      ) c
    ),
    active as materialized (
      select case when w.catch_up_at is not null then 'catching_up'
          when w.is_slow then 'slow' else 'fast' end as pace,
        quipu.count_past_cursor(w.id) + (
          select count(*) from (
            select from quipu.delivery_open d
            where d.endpoint_id = w.id and d.next_at <= k.now order by d.next_at limit $2
          ) open
        ) + coalesce((
          select sum(cardinality(r.event_ids)) from quipu.delivery_run r
          where r.endpoint_id = w.id and r.leased_until <= k.now
        ), 0) as count,
        least((
          select d.next_at from quipu.delivery_open d
          where d.endpoint_id = w.id and d.next_at <= k.now order by d.next_at limit 1
        ), (
          select min(r.leased_until) from quipu.delivery_run r
          where r.endpoint_id = w.id and r.leased_until <= k.now
        ), (
          select n.logged_at from quipu.delivery_cursor c
          cross join lateral quipu.next_events(c.tenant_id, w.events, c.logged_at, c.seq, 1) n
          where c.endpoint_id = w.id
        )) as oldest
      from clock k cross join candidate n cross join lateral (
        select * from quipu.webhook_endpoint e where e.id = n.id offset 0
      ) w
      where w.status = 'active'
    )
    select p.pace, least($2, coalesce(sum(a.count), 0))::int as count,
      extract(epoch from max(k.now - a.oldest))::float8 as oldest_seconds
    from unnest(array['fast', 'slow', 'catching_up']) p(pace)
    cross join clock k left join active a on a.pace = p.pace
    group by p.pace`
};
/** Payouts in `processing`, including those in their first lease; ages are by the database's clock. */
const payouts = {
	name: "backlog.payouts",
	text: `
    select count(*)::int as count,
      extract(epoch from quipu.store_now($1) - min(applied_at))::float8 as oldest_seconds
    from (
      select h.applied_at from quipu.held_payout h order by h.applied_at limit $2
    ) counted`
};
const others = {
	name: "backlog.others",
	text: `
    select (
      select count(*) from quipu.webhook_endpoint w where w.status = 'paused'
    )::int as paused, exists (
      select from quipu.quoting q where q.status = 'paused'
    ) as quoting_paused, (
      select count(*) from (
        select from quipu.deposit d where d.status = 'in_review' and d.closed_at is null limit $1
      ) counted
    )::int as in_review`
};
/** What the ledger check has found about balances and not seen corrected, nor an operator explained. */
const drift = {
	name: "backlog.drift",
	text: `
    select coalesce(sum(abs(d.found_amount - d.expected_amount)), 0)::text as minor
    from quipu.difference d
    where d.status = 'open' and d.check_name = 'ledger' and d.kind in ('available', 'held')`
};
/** One row a check. Counting stops at the limit. */
const differences = {
	name: "backlog.differences",
	text: `
    select c.name as "check", (
      select count(*) from (
        select from quipu.difference d
        where d.status = 'open' and d.check_name = c.name limit $2
      ) counted
    )::int as count, (
      select extract(epoch from quipu.store_now($1) - min(d.found_at)) from quipu.difference d
      where d.status = 'open' and d.check_name = c.name
    )::float8 as oldest_seconds
    from unnest($3::text[]) c (name)`
};
const scans = {
	name: "backlog.scans",
	text: `
    select chain, view,
      greatest(0, extract(epoch from quipu.store_now($1) - block_at))::float8 as "behindSeconds"
    from quipu.scan where block_at is not null order by chain, view`
};
const reconciliations = {
	name: "backlog.reconciliations",
	text: `
    select r.check_name as "check", r.slices, r.compared::float8 as compared,
      greatest(0, extract(epoch from quipu.store_now($1) - r.completed_at))::float8 as "completedSeconds"
    from unnest(array['chain', 'network']) c (name)
    cross join lateral (
      select * from quipu.reconciliation_run r
      where r.check_name = c.name and r.completed_at is not null
      order by r.completed_at desc limit 1
    ) r`
};
const failing = {
	name: "backlog.failing",
	text: `
    select count(*)::int as count,
      extract(epoch from quipu.store_now($1) - min(f.failing_since))::float8 as oldest_seconds
    from (
      select w.failing_since from quipu.webhook_endpoint w
      where w.is_failing_long and w.status = 'active' order by w.failing_since limit $2
    ) f`
};
/** Entries are counted among the next ones past the cursor, up to the limit. */
const notices = {
	name: "backlog.notices",
	text: `
    select count(e.at)::int as count,
      extract(epoch from quipu.store_now($1) - least(min(e.at), c.failing_since))::float8 as oldest_seconds
    from quipu.notice_cursor c
    left join lateral (
      select a.at from (
        select * from quipu.audit_log a where a.id > c.entry_id order by a.id limit $2
      ) a
      where quipu.is_noticed(a)
    ) e on true
    group by c.only_row`
};
/** The backlog in PostgreSQL. Its parts are read one after the other, and not in one snapshot. */
const postgresBacklogStore = (database) => ({ read: async () => {
	const values = [database.clockOverride(), backlogCountMax];
	const due = await database.query(deliveries, values);
	const [open] = await database.query(payouts, values);
	const [dead] = await database.query(failing, values);
	const [notified] = await database.query(notices, values);
	const [rest] = await database.query(others, [backlogCountMax]);
	const ages = await ledgerAges(database);
	const [off] = await database.query(drift, []);
	const found = await database.query(differences, [...values, differenceChecks]);
	const at = (wanted) => waitingFromRow(due.find(({ pace }) => pace === wanted));
	return {
		payouts: waitingFromRow(open),
		deliveries: {
			fast: at("fast"),
			slow: at("slow"),
			catching_up: at("catching_up")
		},
		pausedEndpoints: rest?.paused ?? 0,
		failingEndpoints: waitingFromRow(dead),
		notices: waitingFromRow(notified),
		isQuotingPaused: rest?.quoting_paused ?? false,
		depositsInReview: rest?.in_review ?? 0,
		differences: differencesFromRows(found),
		ledger: {
			...ages,
			driftMicroUsdt: BigInt(off?.minor ?? 0)
		},
		reconciliations: await database.query(reconciliations, [database.clockOverride()]),
		scans: await database.query(scans, [database.clockOverride()])
	};
} });
const differencesFromRows = (rows) => Object.fromEntries(differenceChecks.map((check) => [check, waitingFromRow(rows.find((row) => row.check === check))]));
const waitingFromRow = (row) => ({
	count: row?.count ?? 0,
	oldestSeconds: Math.max(0, row?.oldest_seconds ?? 0)
});
// packages/postgres/src/connection/database-error.ts
/** The error that a caller of the stores gets: `Unavailable` for an outage, the error itself for a bug. */
const storeError = (error) => isUnavailability(error) ? unavailable(error) : error;
const unavailable = (cause) => cause instanceof Unavailable ? cause : new Unavailable("store", reasonOf(cause), { cause });
const reasonOf = (cause) => cause instanceof Error ? cause.message : String(cause);
/**
* Whether the error proves that the statement was rolled back. After a lost connection, a time-out or a
* FATAL error, with which the server ends a connection, the statement may be committed.
*/
const isRolledBack = (error) => error instanceof pg.DatabaseError && error.severity !== "FATAL" && error.severity !== "PANIC";
/** A serialization failure, deadlock or unique violation by a concurrent transaction: a retry may succeed. */
const isTransient = (error) => error instanceof pg.DatabaseError && [
	"40001",
	"40P01",
	"23505"
].includes(error.code ?? "");
const isUnavailability = (error) => error instanceof Unavailable || (error instanceof pg.DatabaseError ? unavailableState.test(error.code ?? "") : isLost(error));
/**
* SQLSTATEs of outages: connection (08), resources (53), operator intervention and timeouts (57), system
* (58), transaction rollback (40), lock timeout (55P03), read-only server (25006), and refused logins
* (28, 3D000).
*/
const unavailableState = /^(?:08|53|57|58|40|28)|^(?:55P03|25006|3D000)$/;
/**
* Whether the connection failed, by `syscall` of Node's errors and by the messages of the driver's. False for
* an `Unavailable`, which follows exhausted retries.
*/
const isLost = (error) => error instanceof Error && !(error instanceof Unavailable || error instanceof pg.DatabaseError) && ("syscall" in error || driverMessages.test(error.message));
const driverMessages = /terminated|timeout expired|timeout exceeded|read timeout|not queryable|after calling end|SSL connection/i;
/** The error with which a connection's socket is destroyed when no answer comes in time. */
const answerTimeout = () => /* @__PURE__ */ new Error("read timeout: the database does not answer");
const isAnswerTimeout = (error) => error instanceof Error && error.message === answerTimeout().message;
// packages/postgres/src/connection/unconfirmed-commits.ts
/**
* The routine of PostgreSQL that emits the warning "canceling wait for synchronous replication": the
* statement was cancelled, and its commit is acknowledged although no standby has it. PostgreSQL translates
* the text of the warning, but not the name of the routine.
*/
const cancelledWait = "SyncRepWaitForLSN";
const sessions = /* @__PURE__ */ new WeakSet();
/** Marks the session when one of its commits is acknowledged without its standby. */
function watchCommits(client) {
	client.on("notice", ({ routine }) => {
		if (routine === cancelledWait) sessions.add(client);
	});
}
/** Whether a commit of this session was acknowledged without its standby. */
const hasUnconfirmedCommit = (client) => sessions.has(client);
/** The error of such a commit: its rows are visible, and a failover can lose them. */
const unconfirmedCommit = () => new Unavailable("store", "the wait for replication was cancelled: a failover can lose the commit; the same request is safe");
// packages/postgres/src/connection/run-statement.ts
/**
* Sends a statement and returns its rows. Destroys the connection's socket when no answer comes within
* `withinMs`, which fails every statement that is queued on it.
*
* Replaces the driver's own promise and `query_timeout`: those attach the callback to a query after its
* creation, and V8 then promotes a quarter of all rows and parameters to the old generation, where they
* stay until the next full garbage collection.
*/
async function runStatement(client, statement, values, withinMs) {
	const answer = Promise.withResolvers();
	const timer = setTimeout(cutOff, withinMs, client);
	const config = {
		...statement,
		values: [...values]
	};
	client.query(config, (error, result) => {
		clearTimeout(timer);
		if (error) answer.reject(error);
		else if (hasUnconfirmedCommit(client)) answer.reject(unconfirmedCommit());
		else answer.resolve(result.rows);
	});
	try {
		return await answer.promise;
	} catch (error) {
		if (error instanceof Error) Error.captureStackTrace(error);
		throw error;
	}
}
function cutOff(client) {
	client.connection.stream.destroy(answerTimeout());
}
// packages/postgres/src/connection/session.ts
const readOnly = { text: "show transaction_read_only" };
/**
* Rejects a session on a server that accepts no writes, and watches the commits of any other.
*
* A standby answers from the log that it has replayed so far, in which the newest payouts can be missing.
*
* @throws Unavailable when the server is a standby or set read-only
*/
async function openSession(client, withinMs) {
	watchCommits(client);
	const [row] = await runStatement(client, readOnly, [], withinMs);
	if (row?.transaction_read_only !== "off") throw new Unavailable("store", "the server accepts no writes: it is a standby or set read-only");
}
/**
* Waits until everything that the session has read is durable.
*
* A row can be visible before it is durable: while its commit waits for the standby, when that session is
* ended, or when the server restarts meanwhile. The write-ahead log is one sequence, so an acknowledged
* commit proves that everything before it is durable. Without synchronous standbys every visible row is
* durable, and nothing is written.
*/
async function confirm(client, withinMs) {
	await runStatement(client, confirmation, [], withinMs);
}
const confirmation = {
	name: "session.confirm",
	text: `
    select pg_logical_emit_message(true, 'quipu', '')
    where current_setting('synchronous_standby_names') <> ''`
};
// packages/postgres/src/connection/connection.ts
const bigints$1 = /* @__PURE__ */ new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
/** 64-bit integers, and sums of them, are `bigint`; other types are parsed as the driver does by default. */
const types = { getTypeParser: (oid, format) => bigints$1.has(oid) ? BigInt : pg.types.getTypeParser(oid, format) };
/**
* The settings of the stores' sessions, in the format of `PGOPTIONS`.
*
* Every query of this package is a handful of index lookups for any values, so one generic plan serves all
* executions; planning takes longer than running. A plan is kept until the next `analyze`, so scans and hash
* or merge joins are off: a plan that is made while a table is small must not scan it once it is large.
*/
const sessionSettings = [
	"synchronous_commit=on",
	"client_min_messages=notice",
	"plan_cache_mode=force_generic_plan",
	...[
		"seqscan",
		"bitmapscan",
		"hashjoin",
		"mergejoin"
	].map((method) => `enable_${method}=off`),
	"max_parallel_workers_per_gather=0",
	"jit=off"
].map((setting) => `-c ${setting}`).join(" ");
/** The settings of every connection of this package. */
function clientConfig(options) {
	const { url, connectTimeoutMs = 2500, statementTimeoutMs = 1e4 } = options;
	return {
		keepAlive: true,
		...withSettings(typeof url === "string" ? { connectionString: url } : url),
		connectionTimeoutMillis: connectTimeoutMs,
		statement_timeout: statementTimeoutMs,
		query_timeout: 0,
		types
	};
}
/** Appends `sessionSettings` to the `options` of the URL or config, which would otherwise replace them. */
function withSettings({ connectionString, ...config }) {
	const ours = {
		...config,
		options: [config.options, sessionSettings].join(" ").trim()
	};
	if (connectionString === void 0) return ours;
	const [address = "", query] = connectionString.split("?");
	const inUrl = new URLSearchParams(query);
	const theirs = inUrl.get("options");
	if (theirs === null) return {
		...ours,
		connectionString
	};
	inUrl.set("options", `${theirs} ${sessionSettings}`);
	return {
		...ours,
		connectionString: `${address}?${inUrl.toString()}`
	};
}
/**
* After how many milliseconds without an answer a connection is cut: 2 s after the statement timeout, at
* which a live server answers.
*/
const answerTimeoutMs = ({ statement_timeout: statementMs }) => (statementMs || 0) + 2e3;
/** Runs `use` with a connection of its own, and closes it. */
async function withConnection(connection, use) {
	const client = new pg.Client(connection);
	client.on("error", () => void 0);
	await client.connect();
	try {
		return await use(client);
	} finally {
		await client.end();
	}
}
/**
* A connection that replaces lost sessions.
*
* For `connectTimeoutMs` after a loss, callers wait while it retries with growing pauses; later calls
* make one try and fail at once with `Unavailable`, until a try succeeds.
*/
function reconnecting(config) {
	const retryMs = config.connectionTimeoutMillis ?? 0;
	let session;
	let live;
	let lostAt;
	let closed = false;
	const open = async () => {
		const client = new pg.Client(config);
		const clear = () => {
			if (live === client) live = session = void 0;
		};
		client.on("error", clear);
		client.on("end", clear);
		try {
			await client.connect();
			await openSession(client, retryMs || answerTimeoutMs(config));
		} catch (error) {
			client.end().catch(ignore$2);
			throw error;
		}
		live = client;
		lostAt = void 0;
		return client;
	};
	const openWithRetries = async () => {
		lostAt ??= performance.now();
		for (let delayMs = 20;; delayMs *= 2) try {
			return await open();
		} catch (error) {
			const tooLong = performance.now() + delayMs > lostAt + retryMs;
			if (closed || tooLong) throw unavailable(error);
			await setTimeout$1(delayMs);
		}
	};
	return {
		client: async () => {
			if (closed) throw unavailable(/* @__PURE__ */ new Error("the stores are closed"));
			session ??= openWithRetries().catch((error) => {
				session = void 0;
				throw error;
			});
			return session;
		},
		drop: (client) => {
			if (live === client) live = session = void 0;
			client.end().catch(ignore$2);
		},
		close: async () => {
			closed = true;
			await session?.then((client) => client.end()).catch(ignore$2);
		}
	};
}
/** For promises whose connection is discarded whatever their outcome. */
const ignore$2 = () => void 0;
// packages/postgres/src/batch/batch-connection.ts
function openBatchConnections({ stall }, config, count = 1) {
	const opened = Array.from({ length: count }, () => {
		const name = `quipu-batch-${randomUUID()}`;
		return {
			name,
			connection: reconnecting({
				...config,
				application_name: name
			}),
			withinMs: answerTimeoutMs(config),
			stall
		};
	});
	return {
		...sharedSlots(opened),
		close: async () => {
			await Promise.all(opened.map(({ connection }) => connection.close()));
		}
	};
}
/** Sends a statement that returns one row. */
async function send({ connection, withinMs, stall }, statement, values) {
	let client;
	try {
		await stall.check();
		client = await connection.client();
	} catch (error) {
		return {
			type: "unsent",
			error
		};
	}
	try {
		const [row] = await runStatement(client, statement, values, withinMs);
		return {
			type: "answered",
			row
		};
	} catch (error) {
		if (isRolledBack(error)) return {
			type: "rolled_back",
			error
		};
		stall.recordFailure(error);
		connection.drop(client);
		return {
			type: "lost",
			error
		};
	}
}
/**
* Does not end a session that waits for its standby: it has committed, and ending it would make rows visible
* that a failover can lose.
*/
const endSessionNamed = {
	name: "batch.end_session",
	text: `
    select coalesce(
      bool_and(case wait_event when 'SyncRep' then false else pg_terminate_backend(pid, 2000) end),
      true
    ) as ended
    from pg_stat_activity where application_name = $1`
};
/**
* Ends the connection's session in the database, and waits until it is gone. From then on the session's
* last statement is either committed or rolled back.
*
* @throws Error when the session is still there, for instance because it waits for its standby
*/
async function endSession(database, { name }) {
	const isGone = async () => {
		const [row] = await database.query(endSessionNamed, [name]);
		return row?.ended === true;
	};
	if (!await isGone() && !await isGone()) throw new Error(`session ${name} could not be ended`);
}
// packages/postgres/src/batch/in-groups.ts
/** Runs two groups of items one after the other, and returns the outcomes in the order of `items`. */
async function inGroups(items, isYes, { yes, no }) {
	const sides = items.map(isYes);
	const runSide = async (side, group) => {
		const members = items.filter((_, place) => sides[place] === side);
		return (members.length > 0 ? await group(members) : [])[Symbol.iterator]();
	};
	const [ofYes, ofNo] = [await runSide(true, yes), await runSide(false, no)];
	return sides.map((side) => {
		const next = (side ? ofYes : ofNo).next();
		return next.done ? undecided() : next.value;
	});
}
/** The outcome of an item for which a batch returned none, which is a bug. */
const undecided = () => ({ error: /* @__PURE__ */ new Error("the answer of the database has no result for an item of the batch") });
// packages/postgres/src/batch/batch-writer.ts
const batchSizeMax = 128;
const triesMax = 3;
const isolatedMs = 1e4;
/**
* Writes items in natural batches and resolves how each of them ended.
*
* - The batch is rolled back: its items are sent singly, so that only the one at fault fails.
* - The answer is lost: the session is ended, so that nothing more of it can commit; the items that are
*   durable are read back, and the others are sent singly.
* - The session cannot be ended, or the read-back fails, for instance while a standby is stalled: every
*   item of the batch is `Unavailable`. It may be committed or not.
*/
function batchWriter(database, connections, protocol) {
	const run = dropExpired(protocol, isolating(protocol, runner(database, protocol)));
	const { name } = protocol.statement;
	const batches = naturalBatches(name, connections, batchSizeMax, async (connection, items) => {
		const startedAt = performance.now();
		const outcomes = await run(connection, items);
		database.observer.batchWritten(name, items.length, (performance.now() - startedAt) / 1e3);
		return outcomes;
	});
	return {
		write: batches.add,
		idle: batches.idle
	};
}
const expired = () => ({ error: new Unavailable("store", "the deadline passed before the write was sent") });
/** Runs the items whose deadline has not passed. */
function dropExpired({ isExpired }, run) {
	if (isExpired === void 0) return run;
	return async (connection, items) => {
		if (!items.some(isExpired)) return run(connection, items);
		return inGroups(items, (item) => !isExpired(item), {
			yes: (live) => run(connection, live),
			no: async (dropped) => dropped.map(() => expired())
		});
	};
}
/** Runs the items of isolated owners apart from the others. */
function isolating({ isolation }, run) {
	if (isolation === void 0) return run;
	const { ownerOf, isCostly, now } = isolation;
	const isolatedUntil = /* @__PURE__ */ new Map();
	const isIsolated = (item) => isolatedUntil.has(ownerOf(item));
	const endIsolations = () => {
		const at = now();
		for (const [owner, until] of isolatedUntil) if (until <= at) isolatedUntil.delete(owner);
	};
	const runAndIsolate = async (connection, items) => {
		const outcomes = await run(connection, items);
		outcomes.forEach((outcome, place) => {
			const item = items[place];
			if (item !== void 0 && "result" in outcome && isCostly(outcome.result)) isolatedUntil.set(ownerOf(item), now() + isolatedMs);
		});
		return outcomes;
	};
	return async (connection, items) => {
		endIsolations();
		if (isolatedUntil.size === 0 || !items.some(isIsolated)) return runAndIsolate(connection, items);
		return inGroups(items, (item) => !isIsolated(item), {
			yes: (others) => runAndIsolate(connection, others),
			no: (isolated) => runAndIsolate(connection, isolated)
		});
	};
}
function batchOf(database, { statement, encode, resultOf, readBack, isExpired }) {
	return {
		send: async (connection, items) => {
			let values;
			try {
				values = encode(items);
			} catch (error) {
				return {
					type: "rolled_back",
					error
				};
			}
			return send(connection, statement, values);
		},
		outcomeOf: (row, place, item) => {
			const result = row && resultOf(row, place, item);
			return result === void 0 ? undecided() : { result };
		},
		resolveLost: async (connection, items, cause) => {
			try {
				await endSession(database, connection);
				return await readBack(items);
			} catch {
				return unavailable(cause);
			}
		},
		isExpired: (item) => isExpired?.(item) ?? false
	};
}
async function single(batch, connection, item, tries = triesMax) {
	if (batch.isExpired(item)) return expired();
	const sent = await batch.send(connection, [item]);
	if (sent.type === "answered") return batch.outcomeOf(sent.row, 0, item);
	if (sent.type === "unsent") return { error: sent.error };
	if (sent.type === "lost") {
		const durable = await batch.resolveLost(connection, [item], sent.error);
		if (durable instanceof Error) return { error: durable };
		const result = durable.get(item);
		if (result !== void 0) return { result };
	} else if (!isTransient(sent.error)) return { error: storeError(sent.error) };
	return tries > 1 ? single(batch, connection, item, tries - 1) : { error: unavailable(sent.error) };
}
async function singly(batch, connection, items, durable = /* @__PURE__ */ new Map()) {
	const outcomes = [];
	let outage;
	for (const item of items) {
		const result = durable.get(item);
		const outcome = result === void 0 ? outage ?? await single(batch, connection, item) : { result };
		outcomes.push(outcome);
		if (isOutage(outcome)) outage = outcome;
	}
	return outcomes;
}
function runner(database, protocol) {
	const batch = batchOf(database, protocol);
	return async (connection, items) => {
		const sent = await batch.send(connection, items);
		switch (sent.type) {
			case "answered": return items.map((item, place) => batch.outcomeOf(sent.row, place, item));
			case "unsent": return items.map(() => ({ error: sent.error }));
			case "rolled_back": return singly(batch, connection, items);
			case "lost": {
				const durable = await batch.resolveLost(connection, items, sent.error);
				if (durable instanceof Error) return items.map(() => ({ error: durable }));
				return singly(batch, connection, items, durable);
			}
		}
	};
}
const isOutage = (outcome) => "error" in outcome && outcome.error instanceof Unavailable && isLost(outcome.error.cause);
// packages/postgres/src/operator-token/token-row.ts
const tokenFromRow = ({ revoked_at: at, revoked_by: by, ...row }) => ({
	id: row.id,
	person: row.person,
	label: row.label,
	role: row.role,
	fingerprint: row.fingerprint,
	createdAt: row.created_at,
	createdBy: row.created_by,
	activatedAt: row.activated_at,
	expiresAt: row.expires_at,
	revocation: at === null || by === null ? null : {
		at,
		by
	}
});
// packages/postgres/src/console-session/console-session-store.ts
const openConsoleSession = {
	name: "open_console_session",
	text: "select quipu.open_console_session($1, $2, $3, $4) as opened"
};
const authenticateConsoleSession = {
	name: "authenticate_console_session",
	text: "select * from quipu.authenticate_console_session($1, $2)"
};
const endConsoleSession = {
	name: "end_console_session",
	text: "select quipu.end_console_session($1, $2) as ended"
};
/** Console sessions in PostgreSQL. The stores' role can read no hash. */
function postgresConsoleSessionStore(database) {
	const authenticate = async (hash, at) => {
		const [row] = await database.readLatest(authenticateConsoleSession, [hash, at]);
		return row && sessionFromRow(row);
	};
	return {
		authenticate,
		open: async ({ hash, tokenHash, at, expiresAt }) => {
			const values = [
				hash,
				tokenHash,
				at,
				expiresAt
			];
			const [row] = await database.write(openConsoleSession, values);
			return row?.opened === true ? authenticate(hash, at) : void 0;
		},
		end: async (hash, at) => {
			const [row] = await database.write(endConsoleSession, [hash, at]);
			return row?.ended === true;
		}
	};
}
const sessionFromRow = (row) => ({
	token: tokenFromRow(row),
	tokenHash: row.token_hash,
	expiresAt: row.session_expires_at
});
// packages/postgres/src/connection/stall-guard.ts
/** A commit waits for its standby for some milliseconds; a wait of 2 s is a stall. */
const stalledSessions = {
	name: "stall.sessions",
	text: `
    select count(*)::int as sessions from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and state_change < clock_timestamp() - interval '2 s'`
};
/**
* The session of a commit that timed out goes on waiting for its standby, and must not be ended. Each further
* commit would wait behind it in another session, until every connection of the database is taken.
*
* @param run runs a statement that only reads
*/
function stallGuard(run) {
	let isSuspected = false;
	return {
		check: async () => {
			if (!isSuspected) return;
			const [row] = await run(stalledSessions);
			if (row === void 0 || row.sessions > 0) throw new Unavailable("store", "commits wait for a standby that does not answer; writes are refused until it does");
			isSuspected = false;
		},
		recordFailure: (error) => {
			if (isAnswerTimeout(error)) isSuspected = true;
		}
	};
}
// packages/postgres/src/connection/database.ts
const nobody = {
	batchWritten: () => void 0,
	connectionTaken: () => void 0
};
/**
* The server ends a transaction that sends nothing for so long: its process may have died, and it holds
* locks.
*/
const idleInTransactionMs = 2e3;
function openDatabase(options) {
	const config = clientConfig(options);
	const withinMs = answerTimeoutMs(config);
	const { observer = nobody, poolSize: size = 8 } = options;
	const pool = openPool(config, size);
	const reader = reconnecting({
		...config,
		pipeline: true
	});
	const on = (client) => (statement, values) => runStatement(client, statement, values, withinMs);
	const readLatest = async (statement, values) => on(await reader.client())(statement, values);
	const onPool = (work) => withClient(pool, observer, work);
	const stall = stallGuard((statement) => withStoreErrors(onPool((client) => runStatement(client, statement, [], withinMs))));
	const withCommits = async (work) => {
		await stall.check();
		return onPool(work).catch((error) => {
			stall.recordFailure(error);
			throw error;
		});
	};
	const query = (statement, values) => withCommits((client) => on(client)(statement, values));
	const confirmed = (statement, values) => withCommits(async (client) => {
		const rows = await on(client)(statement, values);
		await confirm(client, withinMs);
		return rows;
	});
	const transact = (work) => withCommits((client) => inTransaction(client, withinMs, () => work(on(client))));
	return {
		readLatest: (statement, values) => withStoreErrors(retryOnce(() => readLatest(statement, values))),
		query: (statement, values) => withStoreErrors(query(statement, values)),
		write: (statement, values) => withStoreErrors(confirmed(statement, values)),
		read: (statement, values) => withStoreErrors(retryOnce(() => confirmed(statement, values))),
		transaction: (work) => withStoreErrors(transact(work)),
		observer,
		poolState: () => stateOf(pool, size),
		stall,
		clockOverride: () => options.clockOverride?.() ?? null,
		close: async () => {
			await Promise.all([pool.end(), reader.close()]);
		}
	};
}
async function inTransaction(client, withinMs, work) {
	const run = (text) => runStatement(client, { text }, [], withinMs);
	await run("begin");
	try {
		const result = await work();
		await run("commit");
		await confirm(client, withinMs);
		return result;
	} catch (error) {
		await run("rollback").catch(ignore$1);
		throw error;
	}
}
function openPool(config, size) {
	const connectMs = config.connectionTimeoutMillis ?? answerTimeoutMs(config);
	const pool = new pg.Pool({
		...config,
		max: size,
		idle_in_transaction_session_timeout: idleInTransactionMs,
		verify: (client, done) => {
			client.on("error", ignore$1);
			openSession(client, connectMs).then(() => done(), done);
		}
	});
	pool.on("error", ignore$1);
	return pool;
}
const stateOf = ({ totalCount, idleCount: idle, waitingCount: waiting }, size) => ({
	busy: totalCount - idle,
	idle,
	waiting,
	size
});
/** Retries once after a lost connection, and not after a time-out. */
async function retryOnce(run) {
	try {
		return await run();
	} catch (error) {
		if (isLost(error) && !isAnswerTimeout(error)) return run();
		throw error;
	}
}
/** Removes the connection from the pool after an error, except an error that the server answered with. */
async function withClient(pool, { connectionTaken }, work) {
	const askedAt = performance.now();
	const client = await pool.connect();
	connectionTaken((performance.now() - askedAt) / 1e3);
	client.on("error", ignore$1);
	let isBroken = false;
	try {
		return await work(client);
	} catch (error) {
		isBroken = !isRolledBack(error);
		throw error;
	} finally {
		client.release(isBroken);
		if (!isBroken) client.off("error", ignore$1);
	}
}
const ignore$1 = () => void 0;
async function withStoreErrors(work) {
	try {
		return await work;
	} catch (error) {
		throw storeError(error);
	}
}
// packages/postgres/src/connection/server-state.ts
/**
* Without rights to monitor: a role sees the snapshots of other roles' sessions, and not when those began; slots, and
* not the standbys behind them.
*/
const serverState = {
	name: "server.state",
	text: `
    select pg_database_size(current_database())::float8 as "databaseBytes",
      (pg_current_wal_lsn() - '0/0')::float8 as "walBytes",
      (select coalesce(max(pg_current_wal_lsn() - s.restart_lsn), 0)
        from pg_replication_slots s)::float8 as "walRetainedBytes",
      (select case when a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
          then extract(epoch from clock_timestamp() - coalesce(a.last_archived_time, a.stats_reset))
          else 0 end from pg_stat_archiver a)::float8 as "archiveFailingSeconds",
      (select coalesce(max(age(b.backend_xmin)), 0) from pg_stat_activity b)::float8 as "snapshotAge",
      (select max(greatest(age(d.datfrozenxid), mxid_age(d.datminmxid))) from pg_database d
      )::float8 as "transactionIdAge"`
};
/** Reads the state of the server in one statement. @throws Unavailable when the database does not answer */
const readServerState = (database) => async () => {
	const [state] = await database.query(serverState, []);
	if (!state) throw new Error("the statement answered no row");
	return state;
};
// packages/postgres/src/connection/traced-database.ts
/** Runs each statement in a child of the active span, from its queue for a connection to its answer. */
const tracedDatabase = (database) => ({
	...database,
	readLatest: traced(database.readLatest),
	query: traced(database.query),
	write: traced(database.write),
	read: traced(database.read),
	transaction: (work) => inChildSpan(statementSpan("transaction"), () => database.transaction(work))
});
const traced = (query) => (statement, values) => activeSpan() === void 0 ? query(statement, values) : inChildSpan(statementSpan(statement.name), () => query(statement, values));
// packages/postgres/src/webhook/gather-runs.ts
/** The time between two flushes, each of which is one commit. Claims do not wait for it. */
const flushMs = 10;
/**
* Records the deliveries of many runs in one batch every `flushMs`. Skips an incomplete run once, so that
* most runs are recorded as a whole; a slower run is recorded in parts, one part at a time.
*/
function gatherRuns(recordPart) {
	const runs = /* @__PURE__ */ new WeakMap();
	const { schedule, idle } = partWriter(recordPart);
	const of = (run) => {
		let gathering = runs.get(run);
		if (gathering === void 0) {
			gathering = {
				run,
				outCount: run.size,
				waiting: [],
				isWriting: false,
				wasSkipped: false
			};
			runs.set(run, gathering);
		}
		return gathering;
	};
	return {
		add: (run, record) => new Promise((resolve, reject) => {
			const gathering = of(run);
			if (gathering.waiting.some((other) => isSame(other.record, record))) return resolve({ type: "stale" });
			gathering.outCount -= 1;
			gathering.waiting.push({
				record,
				resolve,
				reject
			});
			schedule(gathering);
		}),
		skip: (run) => {
			const gathering = of(run);
			gathering.outCount -= 1;
			schedule(gathering);
		},
		idle
	};
}
function partWriter(recordPart) {
	/** Runs with waiting deliveries, in the order of their first delivery. */
	let unwritten = /* @__PURE__ */ new Set();
	const writing = /* @__PURE__ */ new Set();
	let timer;
	const write = async (gathering) => {
		const part = gathering.waiting;
		gathering.waiting = [];
		gathering.isWriting = true;
		gathering.wasSkipped = false;
		await resolvePart(recordPart, part);
		gathering.isWriting = false;
		schedule(gathering);
	};
	const start = (gathering) => {
		const work = write(gathering).finally(() => writing.delete(work));
		writing.add(work);
	};
	const schedule = (gathering) => {
		if (gathering.isWriting || gathering.waiting.length === 0) return;
		unwritten.add(gathering);
		timer ??= untraced(() => setTimeout(flush, flushMs, false));
	};
	const flush = (isLast) => {
		clearTimeout(timer);
		timer = void 0;
		const due = unwritten;
		unwritten = /* @__PURE__ */ new Set();
		for (const gathering of due) if (isLast || gathering.outCount <= 0 || gathering.wasSkipped) start(gathering);
		else {
			gathering.wasSkipped = true;
			schedule(gathering);
		}
	};
	return {
		schedule,
		idle: async () => {
			flush(true);
			while (writing.size > 0) await Promise.all(writing);
		}
	};
}
/** Records a part, and resolves each of its deliveries. */
async function resolvePart(recordPart, part) {
	try {
		const recorded = await recordPart(part.map(({ record }) => record));
		part.forEach(({ resolve, reject }, place) => {
			const one = recorded[place];
			if (one === void 0) reject(/* @__PURE__ */ new Error("recording a part of a run returned no result for a delivery"));
			else resolve(one);
		});
	} catch (error) {
		for (const { reject } of part) reject(error);
	}
}
const isSame = (one, other) => one.claim.eventId === other.claim.eventId;
// packages/postgres/src/batch/found-results.ts
/**
* The results of the items that a read-back has found.
*
* @param rows `place` is the item's index in `items`
*/
function foundResults(items, rows, resultOf) {
	const results = /* @__PURE__ */ new Map();
	for (const row of rows) {
		const item = items[row.place];
		if (item !== void 0) results.set(item, resultOf(item, row));
	}
	return results;
}
// packages/postgres/src/webhook/delivery-row.ts
const deliveryFromRow = (row) => ({
	tenantId: row.tenant_id,
	endpointId: row.endpoint_id,
	eventId: row.event_id,
	eventType: row.event_type,
	createdAt: row.recorded_at,
	status: row.status,
	nextAttemptAt: row.status === "pending" ? row.next_at : null,
	endedAt: row.ended_at,
	attempts: row.attempts?.map(attemptFromText) ?? [attemptFromColumns(row)]
});
const attemptFromColumns = (row) => ({
	at: row.attempted_at,
	statusCode: row.status_code,
	latencyMs: row.latency_ms,
	error: null,
	excerpt: row.excerpt
});
/**
* The JSON text of an attempt, which also keeps characters of an excerpt that a column of type text cannot.
*/
const attemptText = ({ at, statusCode, latencyMs, error, excerpt }) => {
	const json = {
		at: at.toISOString(),
		statusCode,
		latencyMs,
		error,
		excerpt
	};
	return JSON.stringify(json);
};
function attemptFromText(text) {
	const { at, ...result } = JSON.parse(text);
	return {
		...result,
		at: new Date(at)
	};
}
// packages/postgres/src/webhook/record-attempts.ts
const recordAttempts = {
	name: "record_attempts",
	text: `
    select counts, pauses, failing
    from quipu.record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
};
const readBack$1 = {
	name: "delivery.recorded_attempts",
	text: `
    select i.place::int - 1 as place, e.consecutive_failures as consecutive_failures, r.has_paused
    from unnest($1::text[], $2::uuid[], $3::int[]) with ordinality
      i (endpoint_id, event_id, fencing_token, place)
    cross join lateral (
      select d.has_paused from quipu.delivery d
      where d.endpoint_id = i.endpoint_id and d.event_id = i.event_id
        and d.recorded_at = uuid_extract_timestamp(i.event_id) and d.fencing_token = i.fencing_token
      union all
      select false from quipu.delivery_open d
      where d.endpoint_id = i.endpoint_id and d.event_id = i.event_id
        and d.recorded_token = i.fencing_token
      limit 1
    ) r
    join quipu.webhook_endpoint e on e.id = i.endpoint_id`
};
/** Records attempts of any outcome. */
const recordAttemptsProtocol = (database) => ({
	statement: recordAttempts,
	encode: (records) => [
		textArray(records.map(({ claim }) => claim.endpointId)),
		binaryArray("uuid", records.map(({ claim }) => claim.eventId)),
		binaryArray("int4", records.map(({ claim }) => claim.fencingToken)),
		textArray(records.map(({ attempt }) => attemptText(attempt))),
		textArray(records.map(({ decision }) => decision.type)),
		binaryArray("float8", records.map(({ decision }) => decision.type === "retry" ? decision.inMs : null)),
		binaryArray("bool", records.map(({ isSlow }) => isSlow)),
		binaryArray("int4", records.map(({ pauseAfter }) => pauseAfter)),
		binaryArray("int4", records.map(({ alertAfterSeconds }) => alertAfterSeconds)),
		database.clockOverride()
	],
	resultOf: ({ counts, pauses, failing }, place) => {
		const consecutiveFailures = counts[place];
		if (consecutiveFailures === void 0) return void 0;
		if (consecutiveFailures === null) return { type: "stale" };
		const recorded = {
			type: "recorded",
			consecutiveFailures,
			hasPaused: pauses[place] ?? false
		};
		return failing[place] ? {
			...recorded,
			isFailingLong: true
		} : recorded;
	},
	readBack: async (records) => {
		return foundResults(records, await database.read(readBack$1, [
			records.map(({ claim }) => claim.endpointId),
			records.map(({ claim }) => claim.eventId),
			records.map(({ claim }) => claim.fencingToken)
		]), (_record, row) => ({
			type: "recorded",
			consecutiveFailures: row.consecutive_failures,
			hasPaused: row.has_paused
		}));
	}
});
// packages/postgres/src/webhook/record-runs.ts
const recordRuns = {
	name: "record_runs",
	text: "select quipu.record_runs($1, $2, $3, $4, $5, $6, $7, $8, $9) as recorded"
};
/** A part is one row of `delivered_run`, so its first event is there or none of them. */
const readBack = {
	name: "delivery.recorded_runs",
	text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::uuid[]) with ordinality i (endpoint_id, event_id, place)
    where exists (select from quipu.delivered_in_run(i.endpoint_id, i.event_id))`
};
/** Whether `delivered_run` can store the attempt: it is a run's first, delivered, and of a fast endpoint. */
const fitsDeliveredRun = ({ claim, attempt, decision, isSlow }) => decision.type === "delivered" && !isSlow && claim.fencingToken === firstToken && attempt.error === null && attempt.statusCode !== null && (attempt.excerpt === null || isStorable(attempt.excerpt));
/** A run is leased once, so the fencing token of its claim is 1. */
const firstToken = 1;
const isStorable = (text) => !text.includes("\0") && text.isWellFormed();
/** Records parts of runs. The result is false when a part must be recorded singly, by `record_attempts`. */
const recordRunsProtocol = (database) => ({
	statement: recordRuns,
	encode: (parts) => {
		let next = 1;
		const starts = parts.map(({ length }) => (next += length) - length);
		const records = parts.flat();
		const attempts = records.map(({ attempt }) => attempt);
		return [
			textArray(parts.map((part) => part[0]?.claim.endpointId)),
			binaryArray("int8", parts.map((part) => part[0]?.claim.run?.seq)),
			binaryArray("int4", starts),
			binaryArray("uuid", records.map(({ claim }) => claim.eventId)),
			binaryArray("timestamptz", attempts.map(({ at }) => at)),
			binaryArray("int4", attempts.map(({ statusCode }) => statusCode)),
			binaryArray("int4", attempts.map(({ latencyMs }) => latencyMs)),
			textArray(attempts.map(({ excerpt }) => excerpt)),
			database.clockOverride()
		];
	},
	resultOf: ({ recorded }, place) => recorded[place],
	readBack: async (parts) => {
		return foundResults(parts, await database.read(readBack, [parts.map((part) => part[0]?.claim.endpointId), parts.map((part) => part[0]?.claim.eventId)]), () => true);
	}
});
// packages/postgres/src/webhook/delivery-record.ts
/** Writes attempts: those of a run that were delivered at once together, all others one by one. */
function attemptRecords(database, config, connectionCount) {
	const connections = openBatchConnections(database, config, connectionCount);
	const attempts = batchWriter(database, connections, recordAttemptsProtocol(database));
	const parts = batchWriter(database, connections, recordRunsProtocol(database));
	const runs = gatherRuns(async (part) => {
		return await parts.write(part) ? part.map(() => recordedInRun) : Promise.all(part.map(attempts.write));
	});
	return {
		record: (record) => {
			const { run } = record.claim;
			if (run === void 0) return attempts.write(record);
			if (fitsDeliveredRun(record)) return inChildSpan(gatheredSpan, () => runs.add(run, record));
			runs.skip(run);
			return attempts.write(record);
		},
		close: async () => {
			await runs.idle();
			await Promise.all([parts.idle(), attempts.idle()]);
			await connections.close();
		}
	};
}
/** Deliveries of many traces share the call. */
const gatheredSpan = statementSpan("record_runs");
const recordedInRun = {
	type: "recorded",
	consecutiveFailures: 0,
	hasPaused: false
};
// packages/postgres/src/migration/lock-holders.ts
const query = `
  select virtualtransaction as transaction, pid, usename as role, application_name as application,
    coalesce(wait_event, state) as state, to_json(xact_start)#>>'{}' as started,
    string_agg(distinct c.oid::regclass::text, ', ') as tables
  from pg_locks l
  join pg_class c on c.oid = relation and relnamespace = 'quipu'::regnamespace and relkind in ('r', 'p')
  left join pg_stat_activity a using (pid)
  where database = (select oid from pg_database where datname = current_database())
    and granted and pid is distinct from pg_backend_pid()
  group by 1, 2, 3, 4, 5, 6
  order by started, pid`;
/**
* The other transactions that have locks on tables of `quipu` now.
*
* PostgreSQL does not report the blockers of a statement that timed out. A transaction that holds locks
* before and after the wait was one of them, or at least as long-running.
*/
async function lockHolders(client) {
	return (await client.query(query)).rows;
}
/** A clause for the operator that names the blocking sessions. */
function describeBlockers(blockers) {
	if (blockers.length === 0) return "the blocking sessions have ended their transactions since";
	return `blocked by: ${blockers.map(describe$1).join("; ")}`;
}
function describe$1({ pid, role, application, state, started, tables }) {
	if (pid === null) return `a prepared transaction with ${tables}`;
	return `session ${pid} (${[
		role && `role ${role}`,
		application,
		state,
		started && `since ${started}`
	].filter(Boolean).join(", ")}) with ${tables}`;
}
// packages/postgres/src/migration/bounded-transaction.ts
/** Transactions on this client that block others for a limited time. */
function boundedTransactions(client, bounds) {
	const { attempts = 10, pauseMs = 3e3, notify = ignore, pause = setTimeout$1 } = bounds;
	const { lockTimeoutMs = 2e3, transactionTimeoutMs = 5e3 } = bounds;
	const attempt = async (work) => {
		await client.query("begin");
		try {
			await client.query(timeouts, [String(lockTimeoutMs), String(transactionTimeoutMs)]);
			await work();
			await client.query("commit");
		} catch (error) {
			await client.query("rollback").catch(ignore);
			throw error;
		}
	};
	return async (what, work) => {
		for (let count = 1;; count++) {
			const holdersBefore = await lockHolders(client);
			try {
				return await attempt(work);
			} catch (cause) {
				if (codeOf(cause) === transactionTimeout) throw tooLong(what, transactionTimeoutMs, cause);
				if (!lockFailures.has(codeOf(cause))) throw new Error(`${what} failed`, { cause });
				const blockers = (await lockHolders(client)).filter(({ transaction }) => holdersBefore.some((before) => before.transaction === transaction));
				const waited = `${what} got no lock within ${lockTimeoutMs} ms and was rolled back; ${describeBlockers(blockers)}`;
				if (count >= attempts) throw noLock(waited, attempts, cause);
				notify(`${waited}. Attempt ${count + 1} of ${attempts} follows in ${pauseMs} ms.`);
				await pause(pauseMs);
			}
		}
	};
}
/** Sets the timeouts for one transaction. */
const timeouts = `
  select set_config('lock_timeout', $1, true), set_config('transaction_timeout', $2, true)`;
const transactionTimeout = "25P04";
/** `lock_not_available` and `deadlock_detected`. */
const lockFailures = /* @__PURE__ */ new Set(["55P03", "40P01"]);
const codeOf = (error) => error instanceof pg.DatabaseError ? error.code : void 0;
const noLock = (waited, attempts, cause) => new Error(`${waited}. Gave up after ${attempts} attempts. Let these sessions end or end them, then migrate again`, { cause });
const tooLong = (what, timeoutMs, cause) => new Error(`${what} took longer than ${timeoutMs} ms, during which its locks stop payments, and was rolled back. Migrate again, or with a longer transaction timeout while nothing is paid`, { cause });
const ignore = () => void 0;
// packages/postgres/src/migration/roles.ts
/**
* `quipu_owner` owns the schema and everything in it. The login roles of the processes are members of
* `quipu_process`. Neither can log in. Roles belong to the server, and its databases share them.
*/
const roles = ["quipu_owner", "quipu_process"];
/** The migrating role may neither create the missing roles nor act as `quipu_owner`. */
var RolesMissing = class extends Error {
	name = "RolesMissing";
};
/**
* Creates the missing roles and the schema, and makes the session's role a member of `quipu_owner`.
*
* @throws RolesMissing when the session's role may not do this; nothing is written
*/
async function prepareRoles(client) {
	try {
		await client.query(makeRoles);
		await client.query(joinOwner);
	} catch (error) {
		if (isDenied(error)) throw await rolesMissing(client, error);
		throw error;
	}
	await client.query(makeSchema);
}
/**
* Makes `quipu_owner` the owner of objects that a restore or a person has created as another role. Migrations
* themselves run as `quipu_owner`.
*/
async function takeOwnership(client) {
	await client.query(changeOwners);
}
const isDenied = (error) => error instanceof pg.DatabaseError && error.code === "42501";
async function rolesMissing(client, cause) {
	const { rows } = await client.query(`select quote_ident(current_user) as me,
       array(select name from unnest($1::text[]) name where to_regrole(name) is null) as missing`, [roles]);
	const { missing = [], me = "" } = rows[0] ?? {};
	return new RolesMissing(`The role ${me} may not create roles or act as quipu_owner. Nothing was written. Run these statements as a role that may, then migrate again:\n${[...missing.map((name) => `create role ${name} nologin;`), `grant quipu_owner to ${me} with inherit true, set true;`].join("\n")}`, { cause });
}
/** A migration of another database of the server can make the same role at the same time. */
const makeRoles = `
do $$
declare
  name text;
begin
  foreach name in array array['${roles.join(`', '`)}'] loop
    if to_regrole(name) is null then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end
$$`;
const joinOwner = `
do $$ begin
  if not (pg_has_role('quipu_owner', 'set') and pg_has_role('quipu_owner', 'usage')) then
    execute format('grant quipu_owner to %I with inherit true, set true', current_user);
  end if;
exception when unique_violation then
  null;
end $$`;
const makeSchema = `
do $$ begin
  if to_regnamespace('quipu') is null then
    create schema quipu authorization quipu_owner;
  end if;
end $$`;
/** Leaves out sequences of identity columns, whose owner changes with their table. */
const changeOwners = `
do $$
declare
  command text;
begin
  for command in
    select 'alter schema quipu owner to quipu_owner' from pg_namespace
    where nspname = 'quipu' and nspowner <> 'quipu_owner'::regrole
    union all
    select format('alter %s %s owner to quipu_owner',
      case c.relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
      c.oid::regclass)
    from pg_class c
    where c.relnamespace = 'quipu'::regnamespace and c.relowner <> 'quipu_owner'::regrole
      and c.relkind in ('r', 'p', 'v', 'S', 'c')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and c.relkind = 'S'
          and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
      )
    union all
    select format('alter routine %s owner to quipu_owner', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'quipu'::regnamespace and p.proowner <> 'quipu_owner'::regrole
  loop
    execute command;
  end loop;
end
$$`;
/**
* Grants the rights of `quipu_process`, derived from the catalog: `select` on every table and view, without the
* columns that have the comment `not for processes`, and `execute` on every function that is `security definer` or has the comment `for processes`. Trigger
* functions and partitions need no rights.
*/
async function grantRights(client) {
	await client.query(grants);
}
const grants = `
do $$
declare
  command text;
begin
  revoke all on schema quipu from public, quipu_process;
  revoke all on all tables in schema quipu from public, quipu_process;
  revoke all on all sequences in schema quipu from public, quipu_process;
  revoke all on all routines in schema quipu from public, quipu_process;
  grant usage on schema quipu to quipu_process;
  for command in
    select format('grant select%s on %s to quipu_process', (
        select ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum)
          filter (where col_description(c.oid, a.attnum) is distinct from 'not for processes') || ')'
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        having bool_or(col_description(c.oid, a.attnum) = 'not for processes')
      ), c.oid::regclass) from pg_class c
    where c.relnamespace = 'quipu'::regnamespace and c.relkind in ('r', 'p', 'v')
      and not c.relispartition
    union all
    select format('grant execute on function %s to quipu_process', p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'quipu'::regnamespace and p.prorettype <> 'trigger'::regtype
      and (p.prosecdef or obj_description(p.oid, 'pg_proc') = 'for processes')
  loop
    execute command;
  end loop;
end
$$`;
// packages/postgres/src/migration/migrate.ts
/** The same path from `src` and from `dist`. */
const folder = new URL("../../migrations/", import.meta.url);
/**
* Brings the database up to date: creates the roles `quipu_owner` and `quipu_process`, runs each missing
* migration in a transaction of its own, grants rights, and creates the partitions of the coming months.
*
* Concurrent calls are safe: one does the work, and the others wait. So are payments meanwhile: a transaction
* that does not get its locks in time is rolled back and retried.
*
* @returns the names of the migrations that it has run
* @throws RolesMissing when the connection's role may not create the roles; nothing is written
* @throws Unavailable when the server is a standby or read-only
* @throws Error when no attempt got its locks, when a migration fails, or when the file of a migration that
*   was run before has changed. Migrations that ran before the error stay
*/
async function migrate(connection, bounds = {}) {
	return migrateFrom(folder, connection, bounds);
}
/** `migrate` with the migrations of any folder. */
async function migrateFrom(source, connection, bounds) {
	return withConnection(connection, async (client) => {
		await requirePrimary(client);
		await client.query(`select pg_advisory_lock(hashtextextended('quipu.migrate', 0))`);
		await prepareRoles(client);
		const seen = await seenMigrations$1(client);
		const isEmpty = seen.size === 0;
		const bounded = boundedTransactions(client, {
			...bounds,
			...isEmpty ? { transactionTimeoutMs: 0 } : {}
		});
		await bounded("the change of owners", () => takeOwnership(client));
		const ran = [];
		for (const migration of await readMigrations(source)) {
			const checksum = seen.get(migration.name);
			if (checksum === void 0) {
				await bounded(`migration ${migration.name}`, () => run(client, migration));
				ran.push(migration.name);
			} else if (checksum !== migration.checksum) throw new Error(`migration ${migration.name} has changed since it was run: restore the file and add a new migration, or begin with an empty database if its data is not needed`);
		}
		await bounded("the grant of rights", () => grantRights(client));
		await bounded("partition creation", async () => {
			await client.query("select quipu.ensure_partitions()");
		});
		return ran;
	});
}
/**
* How long the creation of a partition waits for its lock. A dump or long report can block it, and it blocks
* all later users of the table, so it gives up soon and is tried again later.
*/
const lockMs = 1e3;
/**
* Creates the monthly partitions of this month and the next three, by the database's clock.
*
* Call it about once a day in a long-running host, and again soon after it throws; `migrate` does it as well.
* Without it, rows of later months go to the default partitions, where they are found as well.
*
* @throws Error when a long read blocks the tables, or the database does not answer
*/
async function ensurePartitions(connection) {
	const config = {
		...clientConfig({ url: connection }),
		lock_timeout: lockMs
	};
	const statement = { text: "select quipu.ensure_partitions()" };
	await withConnection(config, (client) => runStatement(client, statement, [], answerTimeoutMs(config)));
}
async function seenMigrations$1(client) {
	await client.query(`
    create table if not exists quipu.migration (
      name text collate "C" primary key,
      checksum text not null,
      run_at timestamptz not null default clock_timestamp()
    )`);
	const { rows } = await client.query("select name, checksum from quipu.migration");
	return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}
async function requirePrimary(client) {
	const { rows } = await client.query(`
    select pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only')::boolean as is_read_only`);
	if (rows[0]?.is_standby) throw new Unavailable("store", "the server is a standby: run the migration on its primary");
	if (rows[0]?.is_read_only) throw new Unavailable("store", "the server is set read-only: run the migration where writes are accepted");
}
/** The migrations of this release, in the order in which they run. */
const migrationNames = async (source = folder) => (await readdir(source)).filter((name) => name.endsWith(".sql")).toSorted();
async function readMigrations(source = folder) {
	return Promise.all((await migrationNames(source)).map(async (name) => {
		const sql = await readFile(new URL(name, source), "utf8");
		return {
			name,
			sql,
			checksum: sha256(sql)
		};
	}));
}
async function run(client, { name, sql, checksum }) {
	await client.query("set local role quipu_owner");
	await client.query(sql);
	await grantRights(client);
	await client.query("insert into quipu.migration (name, checksum) values ($1, $2)", [name, checksum]);
}
// packages/postgres/src/readiness/database-ping.ts
/** The database lacks migrations of this release. */
var NotMigrated = class extends Error {
	name = "NotMigrated";
};
/** Writes one record to the write-ahead log. Its commit waits for the disk and the synchronous standbys. */
const durableWrite = {
	name: "ping.durable_write",
	text: `
    select pg_logical_emit_message(true, 'quipu', 'ping'), quipu.store_now($1) as now,
      current_setting('transaction_read_only') as is_read_only`
};
const seenMigrations = {
	name: "ping.migrations",
	text: "select name from quipu.migration"
};
/**
* Checks the migrations until all have been found once, as they are never undone; then makes a durable write.
* Concurrent calls share one write, as each of their own would hold a connection until its time-out while a
* standby does not answer.
*/
function databasePing(database) {
	let isMigrated = false;
	let underWay;
	const ping = async () => {
		if (!isMigrated) await requireMigrations(database);
		isMigrated = true;
		const sentAt = performance.now();
		const [row] = await database.query(durableWrite, [database.clockOverride()]);
		const answeredAt = performance.now();
		if (row === void 0) throw new Error("the durable write returned no row");
		if (row.is_read_only === "on") throw new Unavailable("store", "the database is set read-only: it accepts no writes");
		return {
			now: row.now,
			sentAt,
			answeredAt
		};
	};
	return () => underWay ??= ping().finally(() => {
		underWay = void 0;
	});
}
async function requireMigrations(database) {
	const seen = new Set(await seenIn(database));
	const missing = (await migrationNames()).filter((name) => !seen.has(name));
	if (missing.length > 0) throw new NotMigrated(`the database lacks ${missing.join(", ")}: run the migration first`);
}
async function seenIn(database) {
	try {
		return (await database.query(seenMigrations, [])).map(({ name }) => name);
	} catch (error) {
		if (isNew(error)) return [];
		throw error;
	}
}
/** The schema or table does not exist, as in a database that was never migrated. */
const isNew = (error) => error instanceof pg.DatabaseError && ["3F000", "42P01"].includes(error.code ?? "");
// packages/postgres/src/event/packed-body.ts
/** The beginning of an event of version 1, up to the expiry of the payout's quote. */
const payoutEnvelope = [
	["{\"id\":\""],
	["\",\"type\":\"payout."],
	["\",\"event_version\":1,\"occurred_at\":\""],
	["\",\"recorded_at\":\"", 2],
	["\",\"data\":{\"id\":\""],
	["\",\"type\":\"qr\",\"status\":\"", 1],
	["\",\"transaction_id\":\""],
	["\",\"resolution_id\":"],
	[",\"quote\":{\"id\":\""],
	["\",\"source\":{\"currency\":\"USDT\",\"amount\":\""],
	["\"},\"target\":{\"currency\":\"BOB\",\"amount\":\""],
	["\"},\"rate\":\""],
	["\",\"fee\":{\"currency\":\"USDT\",\"amount\":\""],
	["\"},\"expires_at\":\""]
];
/**
* The texts around the values of each kind of event, in order; the text after the last value comes last. Packed
* bytes begin with the number of their template, from 1, so templates are only appended, never changed or removed.
*/
const templates = [[
	...payoutEnvelope,
	["\"},\"source\":{\"currency\":\"USDT\",\"amount\":\"", 9],
	["\"},\"target\":{\"currency\":\"BOB\",\"amount\":\"", 10],
	["\"},\"qr\":{\"amount_mode\":\""],
	["\",\"merchant\":{\"name\":\""],
	["\",\"bank_code\":\""],
	["\"}},\"error\":null,\"completed_at\":\"", 2],
	["\",\"created_at\":\""],
	["\"}}"]
], [
	...payoutEnvelope,
	["\"},\"source\":"],
	[",\"target\":{\"currency\":\"BOB\",\"amount\":\"", 10],
	["\"},\"qr\":{\"amount_mode\":\""],
	["\",\"merchant\":{\"name\":\""],
	["\",\"bank_code\":\""],
	["\"}},\"error\":"],
	[",\"completed_at\":"],
	[",\"created_at\":\""],
	["\"}}"]
]];
/**
* Begins packed bytes that follow a `traceparent`. A release that does not have it refuses the bytes, as it does
* those of an unknown template.
*/
const traceMarker = 30;
const tracePrefixLength = 56;
/** Separates two values. It cannot occur in JSON, as `same` cannot. */
const separator = "";
/** Stored in place of a value that is equal to the one that it repeats. */
const same = "";
const firstOfJson = 32;
/**
* Packs an event's bytes: removes its template's text, which is more than half of the bytes and would be
* written twice for each payout, to the write-ahead log and to the table. Bytes that fit no template stay as
* they are.
*
* @param places the offsets of the id and instants in `body`; the result has their offsets in the packed
*   bytes
*/
function packBody(body, places = null) {
	const text = latin1(body);
	for (const [index, segments] of templates.entries()) {
		const starts = startsOfValues(text, segments);
		if (starts === void 0) continue;
		const values = starts.map((start, n) => text.slice(start, (starts[n + 1] ?? text.length) - (segments[n + 1]?.[0] ?? "").length));
		const stored = values.map((value, n) => {
			const repeats = segments[n]?.[1];
			return repeats !== void 0 && value === values[repeats] ? same : value;
		});
		return {
			bytes: Buffer.from(String.fromCharCode(index + 1) + stored.join(separator), "latin1"),
			places: places && movePlaces(places, starts, stored, segments)
		};
	}
	if ((body[0] ?? firstOfJson) >= firstOfJson) return {
		bytes: Buffer.from(body),
		places
	};
	throw new TypeError("an event begins with a control character");
}
/**
* Stores the sampled trace of an event's commit before its packed bytes, so that deliveries continue the trace. An
* event without one takes no more space.
*/
function withTraceparent({ bytes, places }, traceparent) {
	if (traceparent?.length !== 55) return {
		bytes,
		places
	};
	const moved = places && {
		id: places.id + tracePrefixLength,
		occurredAt: places.occurredAt + tracePrefixLength,
		recordedAt: places.recordedAt + tracePrefixLength,
		settledAt: places.settledAt === null ? null : places.settledAt + tracePrefixLength
	};
	const prefix = Buffer.from(String.fromCharCode(traceMarker) + traceparent, "latin1");
	return {
		bytes: Buffer.concat([prefix, bytes]),
		places: moved
	};
}
/** The `traceparent` that was stored with an event's bytes. */
const traceparentOf = (bytes) => bytes[0] === traceMarker ? latin1(bytes.subarray(1, tracePrefixLength)) : void 0;
/**
* Reverses `packBody` and `withTraceparent`.
*
* @throws Error when this release does not have the template, or the bytes have another number of values than it:
*   every value behind a damaged separator, amounts among them, would be that of another member
*/
function unpackBody(bytes) {
	const marker = bytes[0] ?? firstOfJson;
	if (marker >= firstOfJson) return bytes;
	if (marker === traceMarker) return unpackBody(bytes.subarray(tracePrefixLength));
	const segments = templates[marker - 1];
	if (segments === void 0) throw new Error(`event bytes are packed by template ${marker}, which this release does not have: run a newer one`);
	const values = latin1(bytes).slice(1).split(separator);
	if (values.length !== segments.length) throw new Error(`packed event bytes have ${values.length} values instead of ${segments.length}: restore the row from a backup`);
	const valueOf = (n) => values[n] === same ? values[segments[n]?.[1] ?? -1] : values[n];
	const text = segments.map(([before], n) => before + (valueOf(n) ?? "")).join("");
	return Buffer.from(text, "latin1");
}
/** A text with one character a byte. */
const latin1 = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
/** The offset of each value; undefined when the text does not fit the template. */
function startsOfValues(text, segments) {
	if (text.includes(separator) || text.includes(same)) return void 0;
	const starts = [];
	for (const [before] of segments) {
		const at = text.indexOf(before, starts.at(-1));
		if (at === -1 || starts.length === 0 && at > 0) return void 0;
		starts.push(at + before.length);
	}
	return starts.at(-1) === text.length ? starts : void 0;
}
/**
* Moves the offsets with the values that contain them. The offset of a `same` value becomes that of the value
* that it repeats: redating an event writes the same instant to both.
*/
function movePlaces(places, starts, stored, segments) {
	const storedStart = (n) => stored.slice(0, n).reduce((start, value) => start + value.length + 1, 1);
	const move = (place) => {
		const n = starts.findLastIndex((start) => start <= place);
		return place - (starts[n] ?? 0) + storedStart(stored[n] === same ? segments[n]?.[1] ?? n : n);
	};
	return {
		id: move(places.id),
		occurredAt: move(places.occurredAt),
		recordedAt: move(places.recordedAt),
		settledAt: places.settledAt === null ? null : move(places.settledAt)
	};
}
// packages/postgres/src/webhook/webhook-row.ts
/** The columns of `quipu.webhook_endpoint w` that `endpointFromRow` needs. */
const endpointColumns = `
  w.id, w.tenant_id, w.url, w.events, w.description, w.status, w.consecutive_failures, w.paused_at,
  w.operator_paused_at, w.operator_paused_by, w.operator_pause_reason, w.secrets, w.created_at, w.updated_at`;
const endpointFromRow = (row) => ({
	id: row.id,
	tenantId: row.tenant_id,
	url: row.url,
	events: row.events,
	description: row.description,
	status: row.status,
	consecutiveFailures: row.consecutive_failures,
	pausedAt: row.paused_at,
	operatorPause: operatorPauseOf(row),
	createdAt: row.created_at,
	updatedAt: row.updated_at
});
function operatorPauseOf({ operator_paused_at: at, operator_paused_by: by, operator_pause_reason: reason }) {
	return at === null || by === null || reason === null ? null : {
		by,
		at,
		reason
	};
}
const storedFromRow = (row) => ({
	endpoint: endpointFromRow(row),
	secrets: secretsFromRows(row.secrets)
});
const secretsFromRows = (rows) => rows.map(({ ciphertext, created_at, expires_at }) => ({
	ciphertext,
	createdAt: new Date(created_at),
	expiresAt: expires_at === null ? null : new Date(expires_at)
}));
const secretsText = (secrets) => JSON.stringify(secrets.map(({ ciphertext, createdAt, expiresAt }) => ({
	ciphertext,
	created_at: createdAt.toISOString(),
	expires_at: expiresAt?.toISOString() ?? null
})));
// packages/postgres/src/webhook/delivery-claims.ts
/**
* Returns the events' bytes as text: they are JSON, and a `bytea` would be sent as twice as many hexadecimal
* digits. Each byte is one character, so that bytes that are not UTF-8 fail no claim; damaged bytes with a zero, which
* no text has, are returned as they are. Returns arrays as lists with commas, as the driver parses an array character
* by character.
*/
const claimColumns$3 = `
  endpoint_id, tenant_id, url, secrets, array_to_string(event_ids, ',') as event_ids,
  array_to_string(body_sizes, ',') as body_sizes,
  case when is_text then convert_from(bodies, 'LATIN1') end as bodies,
  case when not is_text then bodies end as damaged_bodies,
  run_seq, fencing_token, attempt, is_resend, lost_leases`;
/** Whether bodies are text. `offset 0` keeps the planner from looking for the zero twice. */
const areText = `cross join lateral (select position('\\x00' in bodies) = 0 as is_text offset 0) t`;
const claimDeliveries = {
	name: "claim_deliveries",
	text: `select ${claimColumns$3} from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, true, $7, $8, $9) ${areText}`
};
const enqueueDeliveries = {
	name: "claim_deliveries.enqueue",
	text: `
    select endpoint_id, tenant_id, array_to_string(event_ids, ',') as event_ids
    from quipu.claim_deliveries($1, $2, $3, $4, $5, $6, false, $7, $8, $9)`
};
const claimDelivery = {
	name: "claim_delivery",
	text: `select ${claimColumns$3} from quipu.claim_delivery($1, $2, $3, $4) ${areText}`
};
const requeueDeliveries = {
	name: "requeue_deliveries",
	text: "select quipu.requeue_deliveries($1, $2, $3)"
};
/** How often a process lets a claim open the expired runs of dead workers. */
const lostRunsMs = 1e3;
/** The claims of deliveries. */
function deliveryClaims(database) {
	/** The endpoint that was served last in each class: the next claim begins after it. */
	const served = {
		fast: "",
		slow: ""
	};
	let lostRunsOpenedAt = -Infinity;
	const takesLostRuns = (now) => {
		if (Math.abs(now - lostRunsOpenedAt) < lostRunsMs) return false;
		lostRunsOpenedAt = now;
		return true;
	};
	const due = async (statement, query) => {
		const clockOverride = database.clockOverride();
		const values = [
			query.limit,
			query.leaseSeconds,
			query.perEndpoint,
			query.perTenant,
			query.deliveryClass === "slow",
			query.catchUpPerSecond,
			served[query.deliveryClass],
			query.deliveryClass === "fast" && takesLostRuns(clockOverride?.getTime() ?? performance.now()),
			clockOverride
		];
		const rows = await database.query(statement, values);
		served[query.deliveryClass] = rows.at(-1)?.endpoint_id ?? served[query.deliveryClass];
		return rows;
	};
	return {
		claimDue: async (query) => (await due(claimDeliveries, query)).flatMap(claimedFromRow$1),
		claim: async ({ endpointId, eventId }, leaseSeconds) => {
			const values = [
				endpointId,
				eventId,
				leaseSeconds,
				database.clockOverride()
			];
			const [claimed] = (await database.query(claimDelivery, values)).flatMap(claimedFromRow$1);
			return claimed;
		},
		enqueue: async (query) => (await due(enqueueDeliveries, query)).flatMap((row) => row.event_ids.split(",").map((eventId) => ({
			endpointId: row.endpoint_id,
			eventId,
			tenantId: row.tenant_id
		}))),
		requeue: async (refs) => {
			const endpointIds = textArray(refs.map(({ endpointId }) => endpointId));
			const eventIds = binaryArray("uuid", refs.map(({ eventId }) => eventId));
			await database.query(requeueDeliveries, [
				endpointIds,
				eventIds,
				database.clockOverride()
			]);
		}
	};
}
/** None when the stored secrets were changed: then the attempts fail, and not the claim. */
function secretsOf({ secrets }) {
	try {
		return secretsFromRows(JSON.parse(secrets));
	} catch {
		return [];
	}
}
/**
* Deliveries of one row share their secrets and their run. A body is unpacked when it is read: one that cannot be
* unpacked fails its own attempt, and not the claim of all others.
*/
function claimedFromRow$1(row) {
	const secrets = secretsOf(row);
	const eventIds = row.event_ids.split(",");
	const sizes = row.body_sizes.split(",");
	const run = row.run_seq === null ? void 0 : {
		seq: row.run_seq,
		size: eventIds.length
	};
	const bodies = row.damaged_bodies ?? Buffer.from(row.bodies ?? "", "latin1");
	let end = 0;
	return eventIds.map((eventId, place) => {
		const stored = bodies.subarray(end, end += Number(sizes[place]));
		return {
			claim: {
				endpointId: row.endpoint_id,
				eventId,
				fencingToken: row.fencing_token,
				run
			},
			tenantId: row.tenant_id,
			url: row.url,
			secrets,
			get body() {
				return unpackBody(stored);
			},
			attempt: row.attempt,
			isResend: row.is_resend,
			lostLeases: row.lost_leases,
			traceparent: traceparentOf(stored)
		};
	});
}
// packages/postgres/src/webhook/delivery-places.ts
/** @param condition selects the endpoints by table `w` */
const ownEndpoints = (condition) => `
  select w.id, w.tenant_id, w.events, c as cursor,
    case w.status when 'paused' then 'held' else 'pending' end as status
  from quipu.webhook_endpoint w join quipu.delivery_cursor c on c.endpoint_id = w.id
  where ${condition}`;
const noAttempt = `null::timestamptz, null::int, null::int, null::text`;
/**
* The columns of each place, in the order of `statement`: event, type, status, next attempt, end, attempts …
*/
const pastCursor = `p.event_id, p.event_type, own.status, p.recorded_at, null::timestamptz, '{}'::text[]`;
const inRun = `e.event_id, null, own.status, r.leased_until, null, '{}'`;
const openRow = `
  d.event_id, d.event_type, case when d.return_to is null then own.status else 'pending' end,
  d.next_at, null, d.attempts`;
const endedRow = `d.event_id, d.event_type, d.status, null::timestamptz, d.ended_at, d.attempts`;
const arrived = `
  a.event_id, null, 'delivered', null::timestamptz, a.ended_at, null::text[], a.attempted_at,
  a.status_code, a.latency_ms, a.excerpt`;
const pagesTo = ({ before, instant, rows }) => ({
	pastCursor: `
    select ${pastCursor}, ${noAttempt}
    from quipu.pending_page(own.cursor, own.events, ${before}, ${instant}, ${rows}::int) p`,
	runs: `
    select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral unnest(r.event_ids) e (event_id)
    where r.endpoint_id = own.id and e.event_id < ${before}`,
	open: (condition) => `
    select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id < ${before} and d.recorded_at <= ${instant} and ${condition}
    order by d.event_id desc limit ${rows}`,
	ended: (condition) => `
    select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id < ${before} and d.recorded_at <= ${instant} and ${condition}
    order by d.event_id desc limit ${rows}`,
	arrived: `
    select ${arrived} from quipu.delivered_page(own.id, ${before}, ${instant}, ${rows}::int) a`
});
const isActive = `own.status = 'pending'`;
const isPaused = `own.status = 'held'`;
/** The places to read for a page of deliveries of each status, and of any. */
function deliveryPlaces(end) {
	const pages = pagesTo(end);
	return {
		any: [
			pages.pastCursor,
			pages.runs,
			pages.open("true"),
			pages.ended("true"),
			pages.arrived
		],
		pending: [
			`select * from (${pages.pastCursor}) p where ${isActive}`,
			`${pages.runs} and ${isActive}`,
			pages.open(isActive),
			pages.open(`${isPaused} and d.return_to is not null`)
		],
		held: [
			`select * from (${pages.pastCursor}) p where ${isPaused}`,
			`${pages.runs} and ${isPaused}`,
			pages.open(`${isPaused} and d.return_to is null`)
		],
		delivered: [pages.ended(`d.status = 'delivered'`), pages.arrived],
		exhausted: [pages.ended(`d.status = 'exhausted'`)]
	};
}
/** The places of the deliveries of one event. */
const eventPlaces = (event) => [
	`select ${pastCursor.replace("p.recorded_at", "p.logged_at").replace("p.event_id", `${event}::uuid`)}, ${noAttempt}
    from quipu.pending_event(own.cursor, ${event}) p`,
	`select ${inRun}, ${noAttempt}
    from quipu.delivery_run r cross join lateral (select ${event}::uuid) e (event_id)
    where r.endpoint_id = own.id and e.event_id = any (r.event_ids)`,
	`select ${openRow}, ${noAttempt} from quipu.delivery_open d
    where d.endpoint_id = own.id and d.event_id = ${event}`,
	`select ${endedRow}, ${noAttempt} from quipu.delivery d
    where d.endpoint_id = own.id and d.event_id = ${event} and d.recorded_at = uuid_extract_timestamp(${event})`,
	`select a.event_id, null, 'delivered', null::timestamptz, r.ended_at, null::text[], a.attempted_at,
      a.status_code, a.latency_ms, a.excerpt
    from quipu.delivered_in_run(own.id, ${event}) r
    cross join lateral unnest(r.event_ids, r.attempted_at, r.status_codes, r.latencies_ms, r.excerpts)
      a (event_id, attempted_at, status_code, latency_ms, excerpt)
    where a.event_id = ${event}`
];
/**
* Reads the deliveries of these endpoints in these places, newest first. Joins the log for the event type of
* those without a row of their own.
*
* @param own the endpoints, by `ownEndpoints`
*/
const deliveriesAt = (name, own, places, limit = "") => ({
	name,
	text: `
    with own as materialized (${own}), found as materialized (
      select own.id as endpoint_id, own.tenant_id, d.*
      from own cross join lateral (
        ${places.map((place) => `(${place})`).join(" union all ")}
      ) d (event_id, event_type, status, next_at, ended_at, attempts, attempted_at, status_code,
        latency_ms, excerpt)
      order by d.event_id desc, own.id desc ${limit}
    )
    select f.endpoint_id, f.tenant_id, f.event_id, coalesce(f.event_type, l.event_type) as event_type,
      uuid_extract_timestamp(f.event_id) as recorded_at, f.status, f.next_at, f.ended_at, f.attempts,
      f.attempted_at, f.status_code, f.latency_ms, f.excerpt
    from found f
    left join lateral (
      select l.event_type from quipu.tenant_log l
      where f.event_type is null and l.tenant_id = f.tenant_id
        and l.logged_at = uuid_extract_timestamp(f.event_id) and l.event_id = f.event_id
      limit 1
    ) l on true
    order by f.event_id desc, f.endpoint_id desc`
});
// packages/postgres/src/webhook/delivery-list.ts
const own = ownEndpoints("w.id = $2 and w.tenant_id = $1");
const places = deliveryPlaces({
	before: "$3",
	instant: "$4",
	rows: "$5"
});
const get$2 = deliveriesAt("delivery.get", own, eventPlaces("$3"));
const listOf = (name, status) => deliveriesAt(name, own, places[status], "limit $5");
const list$7 = listOf("delivery.list", "any");
const lists = {
	pending: listOf("delivery.list_pending", "pending"),
	held: listOf("delivery.list_held", "held"),
	delivered: listOf("delivery.list_delivered", "delivered"),
	exhausted: listOf("delivery.list_exhausted", "exhausted")
};
[...Object.values(lists)];
async function getDelivery(database, tenantId, { endpointId, eventId }) {
	const [row] = await database.read(get$2, [
		tenantId,
		endpointId,
		eventId
	]);
	return row && deliveryFromRow(row);
}
const lastId$1 = "ffffffff-ffff-ffff-ffff-ffffffffffff";
async function listDeliveries(database, tenantId, endpointId, { after, limit, status }) {
	const query = status === void 0 ? list$7 : lists[status];
	const values = [
		tenantId,
		endpointId,
		...[after?.id ?? lastId$1, after?.createdAt ?? "infinity"],
		limit + 1
	];
	const rows = await database.read(query, values);
	const items = rows.slice(0, limit).map(deliveryFromRow);
	const last = rows.length > limit ? items.at(-1) : void 0;
	return {
		items,
		next: last ? {
			createdAt: last.createdAt,
			id: last.eventId
		} : null
	};
}
// packages/postgres/src/webhook/delivery-store.ts
const resendDelivery = {
	name: "resend_delivery",
	text: "select quipu.resend_delivery($1, $2, $3, $4) as result"
};
/** Deliveries in PostgreSQL. */
const postgresDeliveryStore = (database, records) => ({
	...deliveryClaims(database),
	get: (tenantId, ref) => getDelivery(database, tenantId, ref),
	list: (tenantId, endpointId, query) => listDeliveries(database, tenantId, endpointId, query),
	record: records.record,
	resend: async (tenantId, { endpointId, eventId }) => {
		const values = [
			tenantId,
			endpointId,
			eventId,
			database.clockOverride()
		];
		const [row] = await database.query(resendDelivery, values);
		return row?.result ?? "not_found";
	}
});
// packages/postgres/src/event/traced-event.ts
/** The event with the active trace, if there is one. Call it in the caller's context, not in a batch's. */
function tracedEvent(event) {
	const traceparent = activeTraceparent();
	return event === null || traceparent === void 0 ? event : {
		...event,
		traceparent
	};
}
/** A commit whose event has the active trace. */
function tracedCommit(write) {
	const event = tracedEvent(write.step.event);
	return event === write.step.event ? write : {
		...write,
		step: {
			...write.step,
			event
		}
	};
}
// packages/postgres/src/event/event-columns.ts
/**
* The parameters of a batch's events: their ids, four places an event, the offset at which each event's bytes
* end, and the packed bytes of all events, concatenated. An item without an event has nulls and no bytes.
*/
function eventColumns$1(events) {
	const packed = events.map((event) => event && withTraceparent(packBody(event.body, event.places), event.traceparent));
	let end = 0;
	return [
		binaryArray("uuid", events.map((event) => event?.id)),
		binaryArray("int4", packed.flatMap((each) => placesOf(each?.places))),
		binaryArray("int4", packed.map((each) => end += each?.bytes.length ?? 0)),
		Buffer.concat(packed.flatMap((each) => each?.bytes ?? []))
	];
}
const placesOf = (places) => places ? [
	places.id,
	places.occurredAt,
	places.recordedAt,
	places.settledAt
] : noPlaces;
const noPlaces = [
	null,
	null,
	null,
	null
];
// packages/postgres/src/event/redatable-result.ts
/** The item's result; undefined when the row lacks it. */
function redatableResult({ results, redated_tos }, place) {
	const redatedTo = redated_tos?.[place];
	if (redatedTo) return { redatedTo };
	return results === null ? "committed" : results[place];
}
/** The result of an item whose entry was read back: redated if its instant is later than the given one. */
const durableResult = (given, loggedAt) => loggedAt > given ? { redatedTo: loggedAt } : "committed";
// packages/postgres/src/deposit/durable-entries.ts
/**
* Finds entries by the random bits of their events' ids, as a redated event has another instant in its id.
*/
const entriesOf = {
	name: "deposit.durable_entries",
	text: `
    select i.place::int - 1 as place, e.logged_at
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::uuid[]) with ordinality
      i (tenant_id, type, given, event_id, place)
    cross join lateral (
      select e.logged_at from quipu.funding_entry e
      where e.tenant_id = i.tenant_id and e.type = i.type and e.logged_at >= i.given
        and right(e.event_id::text, 23) = right(i.event_id::text, 23)
      limit 1
    ) e`
};
/** The durable entries of these events, with their instants. */
async function durableEntries(read, events) {
	return foundResults(events, await read(entriesOf, [
		events.map(({ tenantId }) => tenantId),
		events.map(({ type }) => type),
		events.map(({ recordedAt }) => recordedAt),
		events.map(({ id }) => id)
	]), (_event, { logged_at: loggedAt }) => loggedAt);
}
// packages/postgres/src/deposit/resolve-reviews.ts
const resolveReviews = {
	name: "resolve_reviews",
	text: `
    select results, redated_tos
    from quipu.resolve_reviews($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
};
/** Credits or closes deposits in review, as approved proposals say. */
const resolveReviewsProtocol = ({ read }) => ({
	statement: resolveReviews,
	encode: (items) => {
		const decisions = items.map(decisionOf);
		return [
			textArray(items.map(({ step }) => step.deposit.tenantId)),
			textArray(items.map(({ step }) => step.deposit.id)),
			textArray(items.map(({ kind }) => kind)),
			textArray(items.map(({ proposalId }) => proposalId)),
			textArray(decisions.map(({ actor }) => actor)),
			textArray(decisions.map(({ reason }) => reason)),
			binaryArray("timestamptz", decisions.map(({ at }) => at)),
			...eventColumns$1(items.map((item) => item.kind === "credit" ? item.step.event : null))
		];
	},
	resultOf: redatableResult,
	readBack: async (items) => new Map([...await credits(read, items), ...await closes(read, items)])
});
const decisionOf = (item) => item.kind === "credit" ? {
	...item,
	at: item.step.event.recordedAt
} : item.step.deposit.closed;
async function credits(read, items) {
	const credited = items.filter((item) => item.kind === "credit");
	const events = credited.map(({ step }) => step.event);
	const entries = events.length > 0 ? await durableEntries(read, events) : /* @__PURE__ */ new Map();
	return credited.flatMap((item) => {
		const loggedAt = entries.get(item.step.event);
		return loggedAt === void 0 ? [] : [[item, durableResult(item.step.event.recordedAt, loggedAt)]];
	});
}
/** Recognizes a closed review by the instant, the operator and the reason of the write. */
const closedReviews = {
	name: "deposit.closed",
	text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[]) with ordinality
      i (tenant_id, deposit_id, at, actor, reason, place)
    cross join lateral (
      select from quipu.deposit d
      where d.id = i.deposit_id and d.tenant_id = i.tenant_id
        and d.closed_at = i.at and d.closed_by = i.actor and d.close_reason = i.reason
      limit 1
    ) d`
};
async function closes(read, items) {
	const closed = items.filter((item) => item.kind === "close");
	if (closed.length === 0) return [];
	const deposits = closed.map(({ step }) => step.deposit);
	return [...foundResults(closed, await read(closedReviews, [
		deposits.map(({ tenantId }) => tenantId),
		deposits.map(({ id }) => id),
		deposits.map((deposit) => deposit.closed.at),
		deposits.map((deposit) => deposit.closed.actor),
		deposits.map((deposit) => deposit.closed.reason)
	]), () => "committed")];
}
// packages/postgres/src/deposit/settle-deposits.ts
const settleDeposits = {
	name: "settle_deposits",
	text: `
    select results, redated_tos
    from quipu.settle_deposits($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
};
/** Settles deposits that solid blocks have decided. */
const settleDepositsProtocol = ({ read, clockOverride }) => ({
	statement: settleDeposits,
	encode: (items) => [
		...claimColumns$2(items),
		textArray(items.map(({ step }) => reviewCodeOf(step.deposit))),
		binaryArray("timestamptz", items.map(({ step }) => step.event.recordedAt)),
		bigints(items.map(({ unverifiedLimits }) => unverifiedLimits?.perTenant.minor)),
		bigints(items.map(({ unverifiedLimits }) => unverifiedLimits?.inAll.minor)),
		...eventColumns$1(items.map(({ step }) => step.event)),
		clockOverride()
	],
	resultOf: redatableResult,
	readBack: async (items) => {
		const entries = await durableEntries(read, items.map(({ step }) => step.event));
		return new Map(items.flatMap((item) => {
			const loggedAt = entries.get(item.step.event);
			if (loggedAt === void 0) return [];
			const { status } = item.step.deposit;
			const given = item.step.event.recordedAt;
			return [[item, status === "credited" ? durableResult(given, loggedAt) : "committed"]];
		}));
	}
});
const claimColumns$2 = (items) => [
	textArray(items.map(({ claim }) => claim.tenantId)),
	textArray(items.map(({ claim }) => claim.depositId)),
	binaryArray("int4", items.map(({ claim }) => claim.fencingToken))
];
const reviewCodeOf = (deposit) => deposit.status === "in_review" ? deposit.reviewCode : null;
const bigints = (values) => binaryArray("int8", values);
// packages/postgres/src/deposit/deposit-commit.ts
/** Writes settlements and resolutions of deposits, each kind in batches of its own. */
function depositCommits(database, config) {
	const connections = openBatchConnections(database, config);
	const settlements = batchWriter(database, connections, settleDepositsProtocol(database));
	const resolutions = batchWriter(database, connections, resolveReviewsProtocol(database));
	return {
		commit: async (write) => {
			if (write.kind === "close") return resolutions.write(write);
			return write.kind === "settle" ? settlements.write(tracedCommit(write)) : resolutions.write(tracedCommit(write));
		},
		close: async () => {
			await Promise.all([settlements.idle(), resolutions.idle()]);
			await connections.close();
		}
	};
}
// packages/postgres/src/deposit/deposit-row.ts
/** The columns of table `d` that `depositFromRow` needs. */
const depositColumns = `
  d.id, d.tenant_id, d.chain, d.tx_hash, d.transfer_index, d.address, d.from_address, d.amount,
  d.created_at, d.status, d.credited_at, d.review_code, d.closed_at, d.closed_by, d.close_reason`;
function depositFromRow(row) {
	const seen = {
		id: row.id,
		tenantId: row.tenant_id,
		chain: row.chain,
		txHash: row.tx_hash,
		transferIndex: row.transfer_index,
		address: row.address,
		fromAddress: row.from_address,
		amount: usdt(row.amount),
		createdAt: row.created_at
	};
	switch (row.status) {
		case "pending": return {
			...seen,
			status: row.status
		};
		case "credited": return {
			...seen,
			status: row.status,
			creditedAt: row.credited_at
		};
		case "in_review": {
			const { closed_at: at, closed_by: actor, close_reason: reason } = row;
			const closed = at === null ? null : {
				at,
				actor,
				reason
			};
			return {
				...seen,
				status: row.status,
				reviewCode: row.review_code,
				closed
			};
		}
	}
}
// packages/postgres/src/deposit/deposit-list.ts
const listing$6 = (name, where) => ({
	name,
	text: `
    select ${depositColumns} from quipu.deposit d
    where ${where} and d.id < $1 and d.id >= $2 order by d.id desc limit $3`
});
const list$6 = listing$6("deposit.list", "d.tenant_id = $4");
/** Nearly all deposits are credited, so this filter reads the index of all; the others have their own. */
const listCredited = listing$6("deposit.list_credited", "d.tenant_id = $4 and d.status = $5");
const listByStatus$3 = listing$6("deposit.list_by_status", `d.tenant_id = $4 and d.status <> 'credited' and d.status = $5`);
const listDeposits = (database, tenantId, query) => query.status === void 0 ? read(database, query, list$6, tenantId) : read(database, query, query.status === "credited" ? listCredited : listByStatus$3, tenantId, query.status);
async function read(database, query, statement, ...more) {
	const values = [
		...idBoundsOf("dep", query),
		query.limit + 1,
		...more
	];
	return pageOf((await database.read(statement, values)).map(depositFromRow), query.limit);
}
// packages/postgres/src/deposit/deposit-list-all.ts
const inBounds$2 = "d.id < $1 and d.id >= $2";
const listing$5 = (name, where) => ({
	name,
	text: `
    select ${depositColumns} from quipu.deposit d
    where ${where} and ${inBounds$2} order by d.id desc limit $3`
});
const listAll$3 = listing$5("deposit.list_all", "($4::text is null or d.status = $4) and (not $5 or d.closed_at is null)");
const listUncredited = listing$5("deposit.list_uncredited", `d.status <> 'credited' and d.status = $4`);
const listOpenReviews = listing$5("deposit.list_open_reviews", `d.status = 'in_review' and d.closed_at is null`);
/** Parameters: $6 tenant, $7 review code, $8 address; null for any. */
const isWanted$3 = `
  ($4::text is null or d.status = $4) and (not $5::boolean or d.closed_at is null)
  and ($6::text is null or d.tenant_id = $6)
  and ($7::text is null or (d.status = 'in_review' and d.review_code = $7))
  and ($8::text is null or d.address = $8)`;
/** A transaction has few deposits. Parameters: as `isWanted`, $9 transaction. */
const listByTransaction$2 = {
	name: "deposit.list_by_transaction",
	text: `
    with found as materialized (select * from quipu.deposit d where d.tx_hash = $9)
    select ${depositColumns} from found d where ${inBounds$2} and ${isWanted$3} order by d.id desc limit $3`
};
/** Filters the next rows of a source, which has the parameter $9. */
const scan$1 = (name, source) => [{
	name: `deposit.${name}`,
	text: `
      with scanned as materialized (${source} and ${inBounds$2} order by d.id desc limit ${scannedMax})
      select ${depositColumns} from scanned d where ${isWanted$3} order by d.id desc limit $3`
}, {
	name: `deposit.last_of_${name}`,
	text: `
      ${source.replace("*", "d.id, d.created_at as \"createdAt\"").replace("$9", "$3")} and ${inBounds$2}
      order by d.id desc offset 1999 limit 1`
}];
/** Parameters: $9 status, which is not `credited`. */
const scanUncredited = scan$1("scan_uncredited", `select * from quipu.deposit d where d.status <> 'credited' and d.status = $9`);
/** Parameters: $9 tenant. */
const scanTenant$1 = scan$1("scan_tenant", "select * from quipu.deposit d where d.tenant_id = $9");
/** Parameters: $1 address. */
const tenantOfAddress = {
	name: "deposit.tenant_of_address",
	text: "select d.tenant_id from quipu.deposit d where d.address = $1 limit 1"
};
[...scanUncredited, ...scanTenant$1];
/** Deposits of all tenants, newest first. An address belongs to one tenant, which has few of them. */
async function listAllDeposits(database, { tenantId, open = false, reviewCode, txHash, address, ...query }) {
	const { status } = query;
	const filters = [
		status,
		open,
		tenantId,
		reviewCode,
		address
	];
	if (txHash !== void 0) return readPage(database, query, listByTransaction$2, [...filters, txHash]);
	if (address !== void 0) {
		const [owner] = await database.read(tenantOfAddress, [address]);
		if (owner === void 0) return {
			items: [],
			next: null
		};
		return scanPage(database, query, scanTenant$1, [...filters, owner.tenant_id]);
	}
	if (tenantId !== void 0) return open || reviewCode !== void 0 ? scanPage(database, query, scanTenant$1, [...filters, tenantId]) : listDeposits(database, tenantId, query);
	if (reviewCode !== void 0) return scanPage(database, query, scanUncredited, [...filters, "in_review"]);
	if (status === void 0 || status === "credited") return readPage(database, query, listAll$3, [status, open]);
	return status === "in_review" && open ? readPage(database, query, listOpenReviews, []) : readPage(database, query, listUncredited, [status]);
}
async function readPage(database, query, statement, filters) {
	return pageOf(await rowsOf(database, query, statement, filters), query.limit);
}
/** @param filters  the last one is the parameter of the source */
async function scanPage(database, query, [rows, last], filters) {
	return scannedPageOf(await rowsOf(database, query, rows, filters), query.limit, async () => {
		const values = [...idBoundsOf("dep", query), filters.at(-1)];
		const [row] = await database.read(last, values);
		return row;
	});
}
async function rowsOf(database, query, statement, filters) {
	const values = [
		...idBoundsOf("dep", query),
		query.limit + 1,
		...filters
	];
	return (await database.read(statement, values.map((value) => value ?? null))).map(depositFromRow);
}
/** The columns of table `a` that `topUpFromRow` needs. */
const topUpColumns = [
	"tenant_id",
	"chain",
	"index",
	"account",
	"address",
	"address_mac",
	"created_at",
	"retired_at"
].map((name) => `a.${name} as top_up_${name}`).join(", ");
const topUpFromRow = (row) => ({
	tenantId: row.top_up_tenant_id,
	chain: row.top_up_chain,
	index: row.top_up_index,
	account: row.top_up_account,
	address: row.top_up_address,
	mac: row.top_up_address_mac,
	createdAt: row.top_up_created_at,
	retiredAt: row.top_up_retired_at
});
// packages/postgres/src/deposit/deposit-store.ts
const get$1 = {
	name: "deposit.get",
	text: `select ${depositColumns} from quipu.deposit d where d.id = $1 and d.tenant_id = $2`
};
const find$3 = {
	name: "deposit.find",
	text: `select ${depositColumns} from quipu.deposit d where d.id = $1`
};
const claimDeposits = {
	name: "claim_deposits",
	text: `
    select tenant_id, deposit_id, fencing_token, claim_count
    from quipu.claim_deposits($1, $2, $3)`
};
/** Reads the deposits of new claims, in the order of the claims. */
const claimedDeposits = {
	name: "deposit.claimed",
	text: `
    select c.fencing_token, c.claim_count, ${depositColumns}, d.sender, d.solid_block,
      ${topUpColumns},
      (select t.status from quipu.tenant t where t.id = d.tenant_id) as tenant_status
    from unnest($1::text[], $2::text[], $3::int[], $4::int[]) with ordinality
      c (tenant_id, deposit_id, fencing_token, claim_count, place)
    cross join lateral (
      select * from quipu.deposit d
      where d.id = c.deposit_id and d.tenant_id = c.tenant_id limit 1
    ) d
    cross join lateral (
      select * from quipu.top_up_address a
      where a.tenant_id = d.tenant_id and a.address = d.address and a.chain = d.chain limit 1
    ) a
    order by c.place`
};
const yieldDeposit = {
	name: "yield_deposit",
	text: "select quipu.yield_deposit($1, $2, $3, $4, $5) as yielded"
};
/** Deposits in PostgreSQL. The scan store inserts them. */
function postgresDepositStore(database, { commit }) {
	const findBy = async (statement, ...key) => {
		const [row] = await database.read(statement, key);
		return row && depositFromRow(row);
	};
	return {
		get: (tenantId, id) => findBy(get$1, id, tenantId),
		find: (id) => findBy(find$3, id),
		list: (tenantId, query) => listDeposits(database, tenantId, query),
		listAll: (query) => listAllDeposits(database, query),
		claimDue: async (limit, leaseSeconds) => {
			const rows = await database.query(claimDeposits, [
				limit,
				leaseSeconds,
				database.clockOverride()
			]);
			if (rows.length === 0) return [];
			const claims = [
				rows.map((row) => row.tenant_id),
				rows.map((row) => row.deposit_id),
				rows.map((row) => row.fencing_token),
				rows.map((row) => row.claim_count)
			];
			return (await database.query(claimedDeposits, claims)).map(claimed);
		},
		yieldClaim: async ({ tenantId, depositId, fencingToken }, dueInSeconds) => {
			const values = [
				tenantId,
				depositId,
				fencingToken,
				dueInSeconds,
				database.clockOverride()
			];
			const [row] = await database.query(yieldDeposit, values);
			return row?.yielded === true;
		},
		commit
	};
}
const claimed = (row) => ({
	claim: {
		tenantId: row.tenant_id,
		depositId: row.id,
		fencingToken: row.fencing_token
	},
	deposit: pending(row),
	sender: row.sender,
	solid: row.solid_block === null ? { type: "gone" } : {
		type: "confirmed",
		block: Number(row.solid_block)
	},
	topUp: topUpFromRow(row),
	tenantStatus: row.tenant_status,
	claimCount: row.claim_count
});
function pending(row) {
	const deposit = depositFromRow(row);
	if (deposit.status !== "pending") throw new Error(`deposit ${deposit.id} is due and already settled: this is a bug`);
	return deposit;
}
// packages/postgres/src/difference/difference-row.ts
/** The columns of table `d` that `differenceFromRow` needs. */
const differenceColumns = `d.id, d.change, d.check_name, d.kind, d.scope, d.tenant_id, d.subject,
  d.detail, d.currency, d.expected_amount::text, d.found_amount::text, d.found_at, d.last_seen_at, d.gone_at,
  d.closed_at, d.closed_by, d.close_reason, d.proposal_id, d.status`;
const differenceFromRow = (row) => ({
	id: row.id,
	check: row.check_name,
	kind: row.kind,
	scope: row.scope,
	tenantId: row.tenant_id,
	subject: row.subject,
	detail: row.detail,
	expected: moneyFromRow(row.currency, row.expected_amount),
	found: moneyFromRow(row.currency, row.found_amount),
	foundAt: row.found_at,
	lastSeenAt: row.last_seen_at,
	goneAt: row.gone_at,
	closure: row.closed_at && {
		by: row.closed_by,
		at: row.closed_at,
		reason: row.close_reason,
		proposalId: row.proposal_id
	},
	status: row.status,
	change: row.change
});
const moneyFromRow = (currency, minor) => currency === null || minor === null ? null : {
	currency,
	minor: BigInt(minor)
};
/** What `record_differences` reads. */
const foundToRow = (found) => ({
	id: found.id,
	check_name: found.check,
	kind: found.kind,
	scope: found.scope,
	tenant_id: found.tenantId,
	subject: found.subject,
	detail: found.detail,
	currency: found.expected?.currency ?? found.found?.currency ?? null,
	expected_amount: found.expected?.minor.toString() ?? null,
	found_amount: found.found?.minor.toString() ?? null
});
// packages/postgres/src/difference/difference-store.ts
const recordDifferences = {
	name: "record_differences",
	text: "select quipu.record_differences($1, $2)"
};
const resolveDifferences = {
	name: "resolve_differences",
	text: "select quipu.resolve_differences($1, $2, $3) as resolved"
};
const closeDifference = {
	name: "close_difference",
	text: "select quipu.close_difference($1, $2, $3, $4, $5) as closed"
};
const findDifference = {
	name: "difference.find",
	text: `select ${differenceColumns} from quipu.difference d where d.id = $1`
};
const listChanged = {
	name: "difference.list_changed",
	text: `
    select ${differenceColumns} from quipu.difference d
    where d.status = 'open' and d.change > $1 order by d.change limit $2`
};
const listing$4 = (name, where) => ({
	name,
	text: `
    select ${differenceColumns} from quipu.difference d
    where ${where} and (d.found_at, d.id) < ($1, $2) and ($4::text is null or d.check_name = $4)
    order by d.found_at desc, d.id desc limit $3`
});
const isOfStatus$1 = "($5::text is null or d.status = $5)";
const list$5 = listing$4("difference.list", "$5::text is null and $6::text is null and $7::text is null");
const listByStatus$2 = listing$4("difference.list_by_status", "d.status = $5 and $6::text is null and $7::text is null");
const listOfTenant$1 = listing$4("difference.list_of_tenant", `d.tenant_id = $6 and ${isOfStatus$1} and $7::text is null`);
const listOfSubject$2 = listing$4("difference.list_of_subject", `d.subject = $7 and ${isOfStatus$1} and ($6::text is null or d.tenant_id = $6)`);
/** Differences in PostgreSQL. `check_ledger` and `check_audit_log` record theirs themselves. */
const postgresDifferenceStore = (database) => ({
	record: async (found, at) => {
		if (found.length === 0) return;
		await database.query(recordDifferences, [JSON.stringify(found.map(foundToRow)), at]);
	},
	resolveUnseen: async ({ check, scope }, at) => {
		const values = [
			check,
			scope,
			at
		];
		const [row] = await database.query(resolveDifferences, values);
		return row?.resolved ?? 0;
	},
	find: async (id) => {
		const [row] = await database.read(findDifference, [id]);
		return row && differenceFromRow(row);
	},
	list: (query) => listDifferences(database, query),
	listChanged: async (after, limit) => (await database.read(listChanged, [after, limit])).map(differenceFromRow),
	close: async (id, { by, at, reason, proposalId }) => {
		const values = [
			id,
			by,
			at,
			reason,
			proposalId
		];
		const [row] = await database.write(closeDifference, values);
		return row?.closed ? "committed" : "stale";
	}
});
async function listDifferences(database, { status, check, tenantId, subject, ...query }) {
	const statement = subject === void 0 ? tenantId === void 0 ? status === void 0 ? list$5 : listByStatus$2 : listOfTenant$1 : listOfSubject$2;
	const filters = [
		check,
		status,
		tenantId,
		subject
	].map((value) => value ?? null);
	const values = [...keysetOf(query), ...filters];
	const { items, next } = pageOf((await database.read(statement, values)).map((row) => ({
		createdAt: row.found_at,
		id: row.id,
		row
	})), query.limit);
	return {
		items: items.map(({ row }) => differenceFromRow(row)),
		next
	};
}
// packages/postgres/src/webhook/endpoint-control-store.ts
const pauseEndpoint = {
	name: "pause_endpoint",
	text: "select quipu.pause_endpoint($1, $2, $3, $4, $5, $6) as result"
};
const resumeEndpoint = {
	name: "resume_endpoint",
	text: `
    select result, requeued::int, redelivered::int
    from quipu.resume_endpoint($1, $2, $3, $4, $5, $6, $7, $8)`
};
const resendAsOperator = {
	name: "resend_as_operator",
	text: "select quipu.resend_as_operator($1, $2, $3, $4, $5, $6, $7) as result"
};
const findEndpoint = {
	name: "webhook.find",
	text: `select ${endpointColumns} from quipu.webhook_endpoint w where w.id = $1`
};
/** What operators do with endpoints, in PostgreSQL. */
const postgresEndpointControlStore = (database) => ({
	find: async (id) => {
		const [row] = await database.read(findEndpoint, [id]);
		return row && endpointFromRow(row);
	},
	pause: async ({ tenantId, id }, { by, at, reason }, tokenHash) => {
		const values = [
			tenantId,
			id,
			by,
			at,
			reason,
			tokenHash
		];
		return only(await database.write(pauseEndpoint, values)).result;
	},
	resume: ({ tenantId, id }, { by, at, reason }, { redeliverSeconds }, tokenHash) => database.transaction(async (query) => {
		const values = [
			tenantId,
			id,
			...[
				by,
				at,
				reason,
				tokenHash
			],
			redeliverSeconds,
			database.clockOverride()
		];
		const { result, ...counts } = only(await query(resumeEndpoint, values));
		if (result !== "committed") return result;
		const row = only(await query(findEndpoint, [id]));
		return {
			endpoint: endpointFromRow(row),
			...counts
		};
	}),
	resend: async (tenantId, { endpointId, eventId }, { by, at }, tokenHash) => {
		const values = [
			tenantId,
			endpointId,
			eventId,
			by,
			at,
			tokenHash,
			database.clockOverride()
		];
		return only(await database.write(resendAsOperator, values)).result;
	}
});
function only([row]) {
	if (row === void 0) throw new Error("the statement returned no row");
	return row;
}
// packages/postgres/src/event/event-store.ts
/** The columns of table `e` that `eventFromRow` needs. */
const eventColumns = `
  e.tenant_id, e.event_id as id, e.event_type as type, e.subject_id, e.body, e.occurred_at,
  e.logged_at as recorded_at`;
/** An event's id contains its instant to the millisecond, so the id alone leads to its entry of the log. */
const get = {
	name: "event.get",
	text: `
    select ${eventColumns} from quipu.tenant_log e
    where e.tenant_id = $1 and e.logged_at = uuid_extract_timestamp($2) and e.event_id = $2`
};
const listing$3 = (name, from) => ({
	name,
	text: `
    select ${eventColumns} from ${from}
    where e.tenant_id = $1 and e.event_id is not null
      and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
    order by e.logged_at desc, e.event_id desc limit $6`
});
const ofPayouts$1 = (condition) => `(
  select tenant_id, event_id, 'payout.' || status as event_type, payout_id as subject_id, body,
    ended_at as occurred_at, ended_at as logged_at
  from quipu.payout_end where ${condition}) e`;
const ofFunding$1 = `(
  select tenant_id, event_id, type as event_type, subject_id, body, occurred_at, logged_at
  from quipu.funding_entry where type = $7) e`;
const listAll$2 = listing$3("event.list", "quipu.tenant_log e");
/**
* Nearly all payouts are completed, so this type has no index of its own: filters the next events of all
* types.
*/
const listCompleted$1 = {
	name: "event.list_completed",
	text: `
    with scanned as materialized (
      select * from quipu.tenant_log e
      where e.tenant_id = $1 and e.event_id is not null
        and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
      order by e.logged_at desc, e.event_id desc limit ${scannedMax}
    )
    select ${eventColumns} from scanned e where e.event_type = 'payout.completed' limit $6`
};
const lastScanned$4 = {
	name: "event.last_scanned",
	text: `
    select e.event_id as id, e.logged_at as "createdAt" from quipu.tenant_log e
    where e.tenant_id = $1 and e.event_id is not null
      and e.logged_at >= $4 and e.logged_at <= $5 and (e.logged_at, e.event_id) < ($2, $3)
    order by e.logged_at desc, e.event_id desc offset 1999 limit 1`
};
/** The condition `<> 'completed'` lets the planner use the partial index of the other outcomes. */
const listExceptions$2 = listing$3("event.list_exceptions", ofPayouts$1(`status = substring($7 from 8) and status <> 'completed'`));
const listFunding$1 = listing$3("event.list_funding", ofFunding$1);
const isDepositType = (type) => depositEventTypes.includes(type);
function listingOf(type) {
	if (type === void 0) return listAll$2;
	if (isDepositType(type)) return listFunding$1;
	return type === "payout.completed" ? listCompleted$1 : listExceptions$2;
}
/** Events in PostgreSQL. The commits of payouts and deposits write them. */
const postgresEventStore = (database) => ({
	get: async (tenantId, id) => {
		const [row] = await database.read(get, [tenantId, id]);
		return row && eventFromRow(row);
	},
	list: (tenantId, query) => listEvents$1(database, tenantId, query)
});
const noId = "00000000-0000-0000-0000-000000000000";
async function listEvents$1(database, tenantId, { after, from, to, type, limit }) {
	const before = after?.createdAt ?? "infinity";
	const until = after !== void 0 && (to === void 0 || after.createdAt < to) ? before : to;
	const values = [
		tenantId,
		before,
		after?.id ?? noId,
		from ?? "-infinity",
		until ?? "infinity",
		limit + 1
	];
	const statement = listingOf(type);
	const isByType = statement === listExceptions$2 || statement === listFunding$1;
	const events = (await database.read(statement, isByType ? [...values, type] : values)).map((row) => ({
		id: row.id,
		createdAt: row.recorded_at,
		event: eventFromRow(row)
	}));
	const page = statement === listCompleted$1 ? await scannedPageOf(events, limit, async () => {
		const [row] = await database.read(lastScanned$4, values.slice(0, 5));
		return row;
	}) : pageOf(events, limit);
	return {
		...page,
		items: page.items.map(({ event }) => event)
	};
}
const eventFromRow = (row) => ({
	id: row.id,
	tenantId: row.tenant_id,
	type: row.type,
	subjectId: row.subject_id,
	body: new Uint8Array(unpackBody(row.body)),
	occurredAt: row.occurred_at,
	recordedAt: row.recorded_at
});
// packages/postgres/src/faucet/faucet-row.ts
/** The columns of table `f` that `sendFromRow` needs. */
const faucetColumns = `
  f.id, f.tenant_id, f.key, f.fingerprint, f.chain, f.account, f.address, f.amount, f.tx_hash,
  f.bytes, f.expires_at, f.remaining_today, f.created_at, f.status`;
const sendFromRow = (row) => ({
	id: row.id,
	tenantId: row.tenant_id,
	key: row.key,
	fingerprint: row.fingerprint,
	chain: row.chain,
	account: row.account,
	address: row.address,
	amount: usdt(row.amount),
	transfer: {
		txHash: row.tx_hash,
		bytes: new Uint8Array(row.bytes),
		expiresAt: row.expires_at
	},
	status: row.status,
	remainingToday: usdt(row.remaining_today),
	createdAt: row.created_at
});
/** The first parameters of `accept_faucet_send`, up to `expires_at`. */
const draftValues = (draft) => [
	draft.tenantId,
	draft.id,
	draft.key,
	draft.fingerprint,
	draft.chain,
	draft.account,
	draft.address,
	draft.amount.minor,
	draft.transfer.txHash,
	draft.transfer.bytes,
	draft.transfer.expiresAt
];
// packages/postgres/src/faucet/faucet-commit.ts
const getSend = {
	name: "faucet.get",
	text: `
    select ${faucetColumns} from quipu.faucet_send f where f.id = $2 and f.tenant_id = $1`
};
const findSend = {
	name: "faucet.find",
	text: `
    select ${faucetColumns} from quipu.faucet_send f where f.tenant_id = $1 and f.key = $2`
};
/** One lock guards the counters of all tenants and addresses. */
const lockCounters = {
	name: "faucet.lock_counters",
	text: `select pg_advisory_xact_lock(hashtextextended('quipu.faucet', 0))`
};
const readUsage = {
	name: "faucet.usage",
	text: `
    with moment as materialized (
      select now, now - make_interval(secs => $3) as since
      from (select quipu.store_now($4)) clock (now)
    )
    select 'now' as counter, now as at, 0 as amount from moment
    union all
    select 'tenant', created_at, case status when 'failed' then 0 else amount end
    from quipu.faucet_send
    where tenant_id = $1 and created_at > (select since from moment)
    union all
    select 'address', created_at, case status when 'failed' then 0 else amount end
    from quipu.faucet_send
    where account = $2 and created_at > (select since from moment)
    union all
    select 'shared', at, amount from quipu.faucet_minute where at > (select since from moment)`
};
const acceptFaucetSend = {
	name: "accept_faucet_send",
	text: `
    select result, accepted_at as "acceptedAt"
    from quipu.accept_faucet_send($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      $16, $17, $18, $19, $20, $21)`
};
async function usageAt(query, tenantId, account, windowSeconds, clock) {
	const rows = await query(readUsage, [
		tenantId,
		account,
		windowSeconds,
		clock
	]);
	const uses = (counter) => rows.filter((row) => row.counter === counter).map(({ at, amount }) => ({
		at,
		amount: usdt(amount)
	}));
	const [now] = uses("now");
	if (now === void 0) throw new Error("the usage query returned no row with its instant");
	return {
		usage: {
			tenant: uses("tenant"),
			address: uses("address"),
			shared: uses("shared")
		},
		now: now.at
	};
}
/**
* Accepts a faucet request or returns its refusal, in one transaction under one lock: `checkLimits` decides by the
* locked counters, and `accept_faucet_send` checks the limits again and writes.
*/
const commitSend = (database, draft, checkLimits, limits, leaseSeconds) => database.transaction(async (query) => {
	const { tenantId, key, account } = draft;
	const clock = database.clockOverride();
	await query(lockCounters, []);
	const [stored] = await query(findSend, [tenantId, key]);
	if (stored !== void 0) return {
		type: "stored",
		send: sendFromRow(stored)
	};
	const { usage, now } = await usageAt(query, tenantId, account, limits.windowSeconds, clock);
	const decision = checkLimits(usage, now);
	if ("code" in decision) return {
		type: "refused",
		refusal: decision
	};
	const { remainingToday } = decision;
	const values = [
		...draftValues(draft),
		remainingToday.minor,
		...limitValues(limits)
	];
	const [accepted] = await query(acceptFaucetSend, [
		...values,
		leaseSeconds,
		clock
	]);
	if (accepted?.result !== "committed") return { type: "collision" };
	return {
		type: "committed",
		send: {
			...draft,
			status: "submitted",
			remainingToday,
			createdAt: accepted.acceptedAt
		}
	};
});
const limitValues = (limits) => [
	limits.perRequest.minor,
	limits.perTenant.minor,
	limits.requestsPerTenant,
	limits.perAddress.minor,
	limits.shared.minor,
	limits.spacingSeconds,
	limits.windowSeconds
];
// packages/postgres/src/faucet/faucet-store.ts
const claimFaucetSends = {
	name: "claim_faucet_sends",
	text: `
    select ${faucetColumns}, f.fencing_token, f.claim_count
    from quipu.claim_faucet_sends($1, $2, $3) f`
};
const yieldFaucetSend = {
	name: "yield_faucet_send",
	text: "select quipu.yield_faucet_send($1, $2, $3, $4, $5) as done"
};
const settleFaucetSend = {
	name: "settle_faucet_send",
	text: "select quipu.settle_faucet_send($1, $2, $3, $4) as done"
};
/** The faucet's sends in PostgreSQL. */
const postgresFaucetStore = (database) => ({
	find: async (tenantId, key) => {
		const [row] = await database.read(findSend, [tenantId, key]);
		return row && sendFromRow(row);
	},
	get: async (tenantId, id) => {
		const [row] = await database.read(getSend, [tenantId, id]);
		return row && sendFromRow(row);
	},
	usage: (tenantId, account, windowSeconds) => usageAt(database.read, tenantId, account, windowSeconds, database.clockOverride()),
	commit: (draft, ...rest) => sendOnce(draft, () => commitSend(database, draft, ...rest)),
	claimDue: async (limit, leaseSeconds) => {
		return (await database.query(claimFaucetSends, [
			limit,
			leaseSeconds,
			database.clockOverride()
		])).map((row) => ({
			claim: {
				tenantId: row.tenant_id,
				sendId: row.id,
				fencingToken: row.fencing_token
			},
			send: sendFromRow(row),
			claimCount: row.claim_count
		}));
	},
	yieldClaim: async ({ tenantId, sendId, fencingToken }, dueInSeconds) => {
		const values = [
			tenantId,
			sendId,
			fencingToken,
			dueInSeconds,
			database.clockOverride()
		];
		const [row] = await database.query(yieldFaucetSend, values);
		return row?.done ?? false;
	},
	settle: async ({ tenantId, sendId, fencingToken }, status) => {
		const [row] = await database.query(settleFaucetSend, [
			tenantId,
			sendId,
			fencingToken,
			status
		]);
		return row?.done ? "committed" : "stale";
	}
});
/** Retries a write whose answer was lost. If the retry finds this very send, the first try was committed. */
async function sendOnce({ id }, commit) {
	try {
		return await commit();
	} catch (error) {
		if (!(error instanceof Unavailable)) throw error;
		const again = await commit();
		return again.type === "stored" && again.send.id === id ? {
			...again,
			type: "committed"
		} : again;
	}
}
// packages/postgres/src/ledger/adjust-wallets.ts
const adjustWallets = {
	name: "adjust_wallets",
	text: "select quipu.adjust_wallets($1, $2, $3, $4, $5, $6, $7) as results"
};
const postedAdjustments = {
	name: "wallet.posted_adjustments",
	text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, id, place)
    cross join lateral (
      select from quipu.adjustment a where a.tenant_id = i.tenant_id and a.id = i.id limit 1
    ) a`
};
/** Posts adjustments. A read-back recognizes an adjustment by its id. */
const adjustWalletsProtocol = ({ read, clockOverride }) => ({
	statement: adjustWallets,
	encode: (items) => [
		...keysOf(items).map(textArray),
		textArray(items.map(({ direction }) => direction)),
		binaryArray("int8", items.map(({ amount }) => amount.minor)),
		textArray(items.map(({ reason }) => reason)),
		textArray(items.map(({ actor }) => actor)),
		clockOverride()
	],
	resultOf: ({ results }, place) => results[place],
	readBack: async (items) => {
		return foundResults(items, await read(postedAdjustments, keysOf(items)), () => "committed");
	}
});
const keysOf = (items) => [items.map(({ tenantId }) => tenantId), items.map(({ id }) => id)];
// packages/postgres/src/ledger/ledger-check.ts
const checkLedger = {
	name: "check_ledger",
	text: "select quipu.check_ledger($1, $2, $3) as checked"
};
const checkAuditLog = {
	name: "check_audit_log",
	text: `
    select last_id as id, encode(last_hash, 'hex') as hash
    from quipu.check_audit_log($1, decode($2, 'hex'), $3)`
};
/** The newest credits of all wallets. */
const findCredits = {
	name: "ledger_check.credits",
	text: `
    select d.id as deposit_id, d.tenant_id as owner_id, d.tx_hash, d.transfer_index, d.amount,
      d.sender, d.solid_block, ${topUpColumns}
    from (
      select f.tenant_id, f.subject_id, f.event_id from quipu.funding_entry f
      where f.type = 'deposit.credited' and f.event_id >= $1::uuid
      order by f.event_id desc limit $2
    ) f
    join quipu.deposit d on d.id = f.subject_id and d.tenant_id = f.tenant_id
    cross join lateral (
      select * from quipu.top_up_address a
      where a.tenant_id = d.tenant_id and a.address = d.address and a.chain = d.chain limit 1
    ) a
    order by f.event_id desc`
};
/** The ledger check in PostgreSQL. */
const postgresLedgerCheck = (database) => ({
	wallets: async ({ wallets, postings, everySeconds }) => {
		const values = [
			wallets,
			postings,
			everySeconds
		];
		const [row] = await database.query(checkLedger, values);
		return row?.checked ?? 0;
	},
	ages: () => ledgerAges(database),
	auditLog: async (after, entries) => {
		const values = [
			after.id,
			after.hash,
			entries
		];
		const [last] = await database.query(checkAuditLog, values);
		return last === void 0 || last.id === null ? null : last;
	},
	credits: async (since, limit) => (await database.query(findCredits, [lowestEventId(since.getTime()), limit])).map(creditFromRow)
});
const creditFromRow = (row) => ({
	depositId: row.deposit_id,
	tenantId: row.owner_id,
	deposit: {
		txHash: row.tx_hash,
		transferIndex: row.transfer_index,
		amount: usdt(row.amount)
	},
	sender: row.sender,
	block: Number(row.solid_block),
	topUp: topUpFromRow(row)
});
// packages/postgres/src/overview/endpoint-list.ts
const shownColumns = `
  ${endpointColumns}, w.is_slow, w.failing_since, quipu.count_queued(w.id)::int as queued,
  (
  select min(o.at) from (
    (select d.recorded_at from quipu.delivery_open d where d.endpoint_id = w.id
    order by d.event_id limit 1)
    union all
    (select r.first_at from quipu.delivery_run r where r.endpoint_id = w.id
    order by r.first_seq limit 1)
    union all
    select n.logged_at from quipu.delivery_cursor c
    cross join lateral quipu.next_events(c.tenant_id, w.events, c.logged_at, c.seq, 1) n
    where c.endpoint_id = w.id
  ) o (at)) as oldest_queued_at`;
const listing$2 = (name, from) => ({
	name,
	text: `
    with page as materialized (
      select * from ${from} w
      where w.id < $1 and w.id >= $2 and ($4::text is null or w.status = $4)
      order by w.id desc limit $3
    )
    select ${shownColumns} from page w order by w.id desc`
});
const list$4 = listing$2("overview.endpoints", "quipu.webhook_endpoint");
/** Parameters: $5 tenant. */
const ofTenant$1 = listing$2("overview.endpoints_of_tenant", "(select * from quipu.webhook_endpoint where tenant_id = $5 offset 0)");
/** Parameters: $1 id. */
const one = {
	name: "overview.endpoint",
	text: `select ${shownColumns} from quipu.webhook_endpoint w where w.id = $1`
};
const overviewEndpointStatements = [
	list$4,
	ofTenant$1,
	one
];
async function readEndpoint(database, id) {
	const [row] = await database.read(one, [id]);
	return row && shownFromRow(row);
}
async function listEndpoints$1(database, { tenantId, status, ...query }) {
	const values = [
		...idBoundsOf("we", query),
		query.limit + 1,
		status ?? null
	];
	const page = pageOf((tenantId === void 0 ? await database.read(list$4, values) : await database.read(ofTenant$1, [...values, tenantId])).map((row) => ({
		id: row.id,
		createdAt: row.created_at,
		shown: shownFromRow(row)
	})), query.limit);
	return {
		...page,
		items: page.items.map(({ shown }) => shown)
	};
}
const shownFromRow = (row) => ({
	endpoint: endpointFromRow(row),
	queued: row.queued,
	oldestQueuedAt: row.queued === 0 ? null : row.oldest_queued_at,
	isSlow: row.is_slow,
	failingSince: row.failing_since
});
// packages/postgres/src/overview/event-list.ts
const inBounds$1 = "e.event_id < $1::uuid and e.event_id >= $2::uuid";
const newestFirst$1 = "e.event_id desc limit $3";
const ofPayouts = `
  e.tenant_id, e.event_id, 'payout.' || e.status as event_type, e.payout_id as subject_id, e.body,
  e.ended_at as occurred_at, e.ended_at as logged_at`;
const ofFunding = `
  e.tenant_id, e.event_id, e.type as event_type, e.subject_id, e.body, e.occurred_at, e.logged_at`;
const fundingOf = (type) => `
  select ${ofFunding} from quipu.funding_entry e where e.type = ${type} and ${inBounds$1} order by ${newestFirst$1}`;
/** Parameters: $4 exclusive upper id of payouts that can have these events, $5 all types of deposits' events. */
const list$3 = {
	name: "overview.events",
	text: `
    select ${eventColumns} from (
      select ${ofPayouts} from quipu.newest_payout_events($2::uuid, $1::uuid, $4, $3::int) e
      union all
      select f.* from unnest($5::text[]) k (type) cross join lateral (${fundingOf("k.type")}) f
    ) e
    order by ${newestFirst$1}`
};
/** Parameters: $4 type. */
const listExceptions$1 = {
	name: "overview.events_of_exceptions",
	text: `
    select ${eventColumns} from (
      select ${ofPayouts} from quipu.payout_end e
      where e.status = substring($4 from 8) and e.error_code is not null and ${inBounds$1}
      order by ${newestFirst$1}
    ) e`
};
/** Parameters: $4 type. */
const listFunding = {
	name: "overview.events_of_funding",
	text: `select ${eventColumns} from (${fundingOf("$4")}) e`
};
/** A payout or deposit has few events. Parameters: $4 type or null, $5 subject, $6 tenant or null. */
const listOfSubject$1 = {
	name: "overview.events_of_subject",
	text: `
    with entries as materialized (
      select ${ofPayouts} from quipu.payout_end e where e.payout_id = $5
      union all
      select ${ofFunding} from quipu.funding_entry e where e.subject_id = $5 and e.amount is not null
      union all
      select ${ofFunding} from quipu.funding_entry e where e.subject_id = $5 and e.amount is null
    )
    select ${eventColumns} from entries e
    where ${inBounds$1} and ($4::text is null or e.event_type = $4)
      and ($6::text is null or e.tenant_id = $6)
    order by ${newestFirst$1}`
};
/** Parameters: $1 event id, $2 all types of deposits' events. */
const find$2 = {
	name: "overview.event",
	text: `
    select ${eventColumns} from (
      select ${ofPayouts} from quipu.payout_events($1::uuid, $1::uuid) e
      union all
      select ${ofFunding} from unnest($2::text[]) k (type) cross join lateral (
        select * from quipu.funding_entry e where e.type = k.type and e.event_id = $1::uuid limit 1
      ) e
    ) e limit 1`
};
const overviewEventStatements = [
	list$3,
	listExceptions$1,
	listFunding,
	listOfSubject$1,
	find$2
];
async function findEvent(database, id) {
	const [row] = await database.read(find$2, [id, depositEventTypes]);
	return row && eventFromRow(row);
}
async function listEvents(database, { tenantId, subjectId, ...query }) {
	const { after, to, type, limit } = query;
	const read = async (statement, ...values) => {
		const bounds = [...eventIdBoundsOf(query), limit + 1];
		const { items, next } = pageOf((await database.read(statement, [...bounds, ...values])).map((row) => ({
			id: row.id,
			createdAt: row.recorded_at,
			row
		})), limit);
		return {
			items: items.map(({ row }) => eventFromRow(row)),
			next
		};
	};
	if (subjectId !== void 0) return read(listOfSubject$1, type ?? null, subjectId, tenantId ?? null);
	if (tenantId !== void 0) return listEvents$1(database, tenantId, query);
	if (type !== void 0 && type !== "payout.completed") return read(type.startsWith("payout.") ? listExceptions$1 : listFunding, type);
	const until = after !== void 0 && (to === void 0 || after.createdAt < to) ? after.createdAt : to;
	const [payoutBefore] = idBoundsOf("po", {
		limit,
		...until && { to: until }
	});
	const page = await read(list$3, payoutBefore, depositEventTypes);
	const isWanted = (event) => type === void 0 || event.type === type;
	return {
		...page,
		items: page.items.filter(isWanted)
	};
}
// packages/postgres/src/overview/faucet-list.ts
const isWanted$2 = `
  ($3::text is null or f.tenant_id = $3) and ($4::text is null or f.status = $4)
  and ($5::text is null or f.address = $5)`;
/** Filters the next sends. */
const scan = {
	name: "overview.faucet_sends",
	text: `
    with scanned as materialized (
      select * from quipu.faucet_send f where f.id < $1 order by f.id desc limit ${scannedMax}
    )
    select ${faucetColumns} from scanned f where ${isWanted$2} order by f.id desc limit $2`
};
const lastScanned$3 = {
	name: "overview.last_faucet_send",
	text: `
    select f.id, f.created_at as "createdAt" from quipu.faucet_send f
    where f.id < $1 order by f.id desc offset 1999 limit 1`
};
const byTransaction = {
	name: "overview.faucet_sends_of_transaction",
	text: `
    select ${faucetColumns} from quipu.faucet_send f
    where f.tx_hash = $6 and f.id < $1 and ${isWanted$2} limit $2`
};
const overviewFaucetStatements = [
	scan,
	lastScanned$3,
	byTransaction
];
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
async function listFaucetSends(database, { tenantId, status, address, txHash, after, limit }) {
	const before = after?.id ?? lastId;
	const filters = [
		tenantId,
		status,
		address
	].map((value) => value ?? null);
	const values = [
		before,
		limit + 1,
		...filters
	];
	if (txHash !== void 0) return pageOf((await database.read(byTransaction, [...values, txHash])).map(sendFromRow), limit);
	return scannedPageOf((await database.read(scan, values)).map(sendFromRow), limit, async () => {
		const [row] = await database.read(lastScanned$3, [before]);
		return row;
	});
}
// packages/postgres/src/overview/find-delivery.ts
/**
* The endpoints that may have received the events of an instant. Parameters: $1 and $2 bounds of their ids, $3 all types
* of deposits' events.
*/
const receivers = {
	name: "overview.receivers",
	text: `
    select w.tenant_id, w.id as endpoint_id, e.event_id
    from (
      select e.tenant_id, e.event_id from quipu.payout_events($1::uuid, $2::uuid) e
      union all
      select e.tenant_id, e.event_id from unnest($3::text[]) k (type) cross join lateral (
        select * from quipu.funding_entry e
        where e.type = k.type and e.event_id between $1::uuid and $2::uuid order by e.event_id
      ) e
    ) e cross join lateral (
      select w.id, w.tenant_id from quipu.webhook_endpoint w where w.tenant_id = e.tenant_id offset 0
    ) w`
};
const deliveryStatements = [receivers];
/** A delivery of any tenant. Its id contains the instant of its event, and hides event and endpoint. */
async function findDelivery(database, id) {
	const at = instantOfDelivery(id);
	if (at === void 0) return void 0;
	const bounds = [lowestEventId(at.getTime()), lowestEventId(at.getTime() + 1)];
	const receiver = (await database.read(receivers, [...bounds, depositEventTypes])).find((row) => eventIdOfDelivery(row.endpoint_id, id) === row.event_id);
	if (receiver === void 0) return void 0;
	const { tenant_id: tenantId, endpoint_id: endpointId, event_id: eventId } = receiver;
	return getDelivery(database, tenantId, {
		endpointId,
		eventId
	});
}
// packages/postgres/src/overview/find-records.ts
const parts = {
	tenant: ["select t.id, t.id, t.legal_name from quipu.tenant t where t.id = $1"],
	api_key: ["select k.id, k.tenant_id, k.name from quipu.api_key k where k.id = $1"],
	wallet: ["select w.id, w.tenant_id, w.tenant_id from quipu.wallet w where w.id = $1"],
	top_up_address: ["select a.address, a.tenant_id, a.chain from quipu.top_up_address a where a.address = $1"],
	payout: [`select p.id, p.tenant_id, p.transaction_id
    from (
      select e.tenant_id from quipu.payout_end e where e.payout_id = $1
      union
      select o.tenant_id from quipu.payout_open o where o.payout_id = $1
      union
      select i.tenant_id from quipu.payout_lease l
      cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
      where i.payout_id = $1
    ) i cross join lateral (
      select * from quipu.payout p where p.tenant_id = i.tenant_id and p.id = $1 offset 0
    ) p`, "select p.id, p.tenant_id, p.transaction_id from quipu.payout p where p.transaction_id = $1"],
	quote: ["select q.id::text, q.tenant_id, q.rate_source from quipu.quote q where q.id = $2"],
	resolution: ["select r.id, r.tenant_id, r.merchant_name from quipu.qr_resolution r where r.id = $1"],
	deposit: ["select d.id, d.tenant_id, d.status from quipu.deposit d where d.id = $1", "select d.id, d.tenant_id, d.status from quipu.deposit d where d.tx_hash = $1"],
	faucet_send: ["select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.id = $2", "select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.tx_hash = $1"],
	event: [`select e.event_id::text, e.tenant_id, 'payout.' || e.status from quipu.payout_events($2, $2) e`, ...depositEventTypes.map((type) => `select e.event_id::text, e.tenant_id, e.type from quipu.funding_entry e where e.type = '${type}' and e.event_id = $2`)],
	webhook_endpoint: ["select w.id, w.tenant_id, w.url from quipu.webhook_endpoint w where w.id = $1"],
	delivery: [],
	proposal: ["select p.id, p.tenant_id, p.action from quipu.proposal p where p.id = $1"],
	difference: [`select d.id, d.tenant_id, d.check_name || ' ' || d.kind from quipu.difference d where d.id = $1`],
	reconciliation_run: ["select r.id, null::text, r.check_name from quipu.reconciliation_run r where r.id = $1"],
	sweep_batch: [
		`select b.id, null::text, b.treasury from quipu.sweep_batch b where b.id = $1`,
		"select s.batch_id, null::text, s.id from quipu.sweep_transfer s where s.id = $1",
		"select s.batch_id, null::text, s.id from quipu.sweep_transfer s where s.tx_hash = $1"
	],
	operator_token: ["select o.id, null::text, o.role from quipu.operator_token o where o.id = $1"]
};
const find$1 = {
	name: "overview.find",
	text: recordTypes.flatMap((type, rank) => parts[type].map((part) => `select '${type}' as type, ${rank} as rank, * from (${part} limit 20) ${type} (id, tenant_id, label)`)).join("\nunion all\n").concat("\norder by rank, id, tenant_id").replaceAll("$2", "$2::uuid").replaceAll("$1", "$1::text")
};
/**
* No index has the network's references, so this reads the payouts in `processing` and the newest that have
* ended. Parameters: $1 the text.
*/
const findByNetwork = {
	name: "overview.find_by_network",
	text: `
    with scanned as materialized (
      select e.payout_id, e.tenant_id, e.network_payment_id from quipu.payout_end e
      order by e.payout_id desc limit ${scannedMax}
    )
    select p.id, p.tenant_id, p.transaction_id as label from (
      select * from scanned
      union all
      select o.payout_id, o.tenant_id, null from quipu.payout_open o
      union all
      select i.payout_id, i.tenant_id, null from quipu.payout_lease l
      cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
    ) e cross join lateral (
      select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id offset 0
    ) p
    where e.network_payment_id = $1 or p.details ->> 'network_ref' = $1
    group by p.id, p.tenant_id, p.transaction_id order by p.id desc limit 20`
};
const findStatements = [find$1, findByNetwork];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
async function findRecords(database, text) {
	const delivery = await findDelivery(database, text);
	if (delivery !== void 0) return [foundDelivery(text, delivery)];
	const isUuid = uuid.test(text);
	const found = (await database.read(find$1, [text, isUuid ? text : null])).map(recordFromRow);
	if (found.length > 0 || isUuid || ownId.test(text)) return found;
	return (await database.read(findByNetwork, [text])).map((row) => recordFromRow({
		...row,
		type: "payout"
	}));
}
const recordFromRow = ({ type, id, tenant_id: tenantId, label }) => ({
	type,
	id,
	tenantId,
	label
});
/** Ids of records, which the network does not use. */
const ownId = /^[a-z]{2,3}_/;
const foundDelivery = (id, { tenantId, status, eventType }) => ({
	type: "delivery",
	id,
	tenantId,
	label: `${eventType} ${status}`
});
// packages/postgres/src/overview/open-payouts.ts
/** Parameters: $1 payouts, $2 their tenants. */
const openPayouts = {
	name: "overview.open_payouts",
	text: `
    select p.id, coalesce(o.claim_count, 0) as claim_count, coalesce(o.unanswered, 0) as unanswered,
      coalesce(o.due_at, p.leased_until) as due_at, coalesce(o.raised, '{}') as raised
    from unnest($1::text[], $2::text[]) i (payout_id, tenant_id)
    join quipu.payout p on p.tenant_id = i.tenant_id and p.id = i.payout_id
    left join quipu.payout_open o on o.payout_id = p.id and o.tenant_id = p.tenant_id
    where p.hold is not null`
};
/** Adds the work on those payouts that are in `processing`. */
async function withOpenPayouts(database, payouts) {
	const open = await openOf(database, payouts.filter(({ status }) => status === "processing"));
	return payouts.map((payout) => ({
		payout,
		open: open.get(payout.id) ?? null
	}));
}
async function openOf(database, processing) {
	if (processing.length === 0) return /* @__PURE__ */ new Map();
	const values = [processing.map(({ id }) => id), processing.map(({ tenantId }) => tenantId)];
	const rows = await database.read(openPayouts, values);
	return new Map(rows.map((row) => [row.id, openFromRow(row)]));
}
const openFromRow = (row) => ({
	claimCount: row.claim_count,
	unansweredCount: row.unanswered,
	dueAt: row.due_at,
	raised: row.raised
});
/** The columns of table `q` that `quoteFromRow` needs. */
const quoteColumns = [
	"id",
	"tenant_id",
	"resolution_id",
	"rate",
	"target",
	"principal",
	"fee",
	"source",
	"bid",
	"rate_source",
	"created_at",
	"expires_at"
].map((name) => `q.${name} as quote_${name}`).join(", ");
const quoteFromRow = (row) => ({
	id: row.quote_id,
	tenantId: row.quote_tenant_id,
	resolutionId: row.quote_resolution_id,
	rate: row.quote_rate,
	target: bob(row.quote_target),
	principal: usdt(row.quote_principal),
	fee: usdt(row.quote_fee),
	source: usdt(row.quote_source),
	bid: row.quote_bid,
	rateSource: row.quote_rate_source,
	createdAt: row.quote_created_at,
	expiresAt: row.quote_expires_at
});
/**
* As `quoteColumns`, with the payout that used the quote.
*
* @param clockOverride the parameter that replaces the database's clock, such as `$3`
*/
const quoteViewColumns = (clockOverride) => `${quoteColumns}, (
    select used.id from quipu.payout used
    where used.quote_id = q.id and used.tenant_id = q.tenant_id and used.hold is not null
  ) as quote_payout_id,
  q.expires_at <= quipu.store_now(${clockOverride}) as quote_expired`;
const quoteViewFromRow = (row) => ({
	quote: quoteFromRow(row),
	status: row.quote_payout_id !== null ? "used" : row.quote_expired ? "expired" : "open",
	payoutId: row.quote_payout_id
});
/** The columns of table `r` that `resolutionFromRow` needs. */
const resolutionColumns = [
	"id",
	"tenant_id",
	"network_ref",
	"amount_mode",
	"amount",
	"merchant_name",
	"bank_code",
	"description",
	"expires_at",
	"content_hash",
	"created_at"
].map((name) => `r.${name} as resolution_${name}`).join(", ");
const resolutionFromRow = (row) => ({
	id: row.resolution_id,
	tenantId: row.resolution_tenant_id,
	networkRef: row.resolution_network_ref,
	amountMode: row.resolution_amount_mode,
	amount: row.resolution_amount === null ? null : bob(row.resolution_amount),
	merchant: {
		name: row.resolution_merchant_name,
		bankCode: row.resolution_bank_code
	},
	description: row.resolution_description,
	expiresAt: row.resolution_expires_at,
	contentHash: row.resolution_content_hash,
	createdAt: row.resolution_created_at
});
// packages/postgres/src/payout/payout-details.ts
/** The JSON of the column. */
function detailsText(payout, traceparent) {
	const { qr } = payout;
	const details = {
		...qr && {
			qr_mode: qr.amountMode,
			merchant_name: qr.merchant.name,
			bank_code: qr.merchant.bankCode
		},
		..."networkRef" in payout && { network_ref: payout.networkRef },
		...traceparent !== void 0 && { traceparent }
	};
	return JSON.stringify(details);
}
/** The QR of a stored payout; null when it could not be read. */
const qrFromDetails = ({ qr_mode: amountMode, merchant_name: name = "", bank_code: bankCode = "" }) => amountMode === void 0 ? null : {
	amountMode,
	merchant: {
		name,
		bankCode
	}
};
// packages/postgres/src/payout/payout-row.ts
/** The columns of `payoutTables` that `payoutFromRow` needs. */
const payoutColumns = `
  p.id, p.tenant_id, p.transaction_id, p.fingerprint, p.quote_id as payout_quote_id,
  p.resolution_id as resolution_of_payout, p.target, p.created_at, p.hold is not null as applied, p.details,
  e.status, e.error_code, e.error_message, e.ended_at, e.network_payment_id,
  ${quoteColumns}`;
/** @param payouts a table or common table expression with the columns of `quipu.payout` */
const payoutTables = (payouts) => `
  ${payouts} p
  left join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id
  left join quipu.quote q on p.hold is not null and q.id = p.quote_id and q.tenant_id = p.tenant_id`;
/** Reads a payout from its row. */
function payoutFromRow(row) {
	const draft = {
		id: row.id,
		tenantId: row.tenant_id,
		transactionId: row.transaction_id,
		quoteId: row.payout_quote_id,
		resolutionId: row.resolution_of_payout,
		target: bob(row.target),
		createdAt: row.created_at
	};
	const qr = qrFromDetails(row.details);
	const end = endFromRow(row);
	if (row.applied) {
		const applied = {
			quote: quoteFromRow(row),
			qr,
			networkRef: row.details.network_ref
		};
		return {
			...draft,
			...applied,
			...end
		};
	}
	return {
		...draft,
		quote: null,
		qr,
		...end
	};
}
function endFromRow(row) {
	switch (row.status) {
		case null: return { status: "processing" };
		case "completed": return {
			status: row.status,
			endedAt: row.ended_at,
			networkPaymentId: row.network_payment_id
		};
		case "failed":
		case "rejected":
		case "cancelled": return {
			status: row.status,
			error: {
				code: row.error_code,
				message: row.error_message
			},
			endedAt: row.ended_at
		};
	}
}
/**
* As `payoutColumns`, for `storedPayoutTables`.
*
* @param clockOverride the parameter that replaces the database's clock, such as `$3`
*/
const storedPayoutColumns = (clockOverride) => `${payoutColumns}, coalesce(e.status is null and case when o.payout_id is null
      then p.leased_until > quipu.store_now(${clockOverride})
      else o.leased and o.due_at > quipu.store_now(${clockOverride}) end, false) as leased,
  extract(epoch from quipu.store_now(${clockOverride}) - p.created_at)::float8 * 1000 as age_ms`;
const storedPayoutTables = `${payoutTables("quipu.payout")}
  left join quipu.payout_open o on o.payout_id = p.id and o.tenant_id = p.tenant_id`;
const storedPayoutFromRow = (row) => ({
	payout: payoutFromRow(row),
	fingerprint: row.fingerprint,
	leased: row.leased,
	ageMs: row.age_ms
});
// packages/postgres/src/payout/payout-list.ts
const shown = `
  select ${payoutColumns} from ${payoutTables("page")} order by p.id desc`;
const listAll$1 = {
	name: "payout.list",
	text: `
    with page as materialized (
      select * from quipu.payout where tenant_id = $1 and id < $2 and id >= $3
      order by id desc limit $4
    ) ${shown}`
};
/**
* Nearly all payouts are completed, so this status has no index of its own: filters the next payouts of all.
*/
const listCompleted = {
	name: "payout.list_completed",
	text: `
    with scanned as materialized (
      select * from quipu.payout where tenant_id = $1 and id < $2 and id >= $3
      order by id desc limit ${scannedMax}
    ), page as materialized (
      select p.* from scanned p
      where p.hold is not null and 'completed' = (
        select e.status from quipu.payout_end e
        where e.payout_id = p.id and e.tenant_id = p.tenant_id
      )
      limit $4
    ) ${shown}`
};
const lastScanned$2 = {
	name: "payout.last_scanned",
	text: `
    select id, created_at as "createdAt" from quipu.payout
    where tenant_id = $1 and id < $2 and id >= $3
    order by id desc offset 1999 limit 1`
};
/** The condition `<> 'completed'` lets the planner use the partial index of the other outcomes. */
const listByStatus$1 = {
	name: "payout.list_by_status",
	text: `
    with ended as materialized (
      select tenant_id, payout_id from quipu.payout_end
      where tenant_id = $1 and status = $5 and status <> 'completed' and payout_id < $2
        and payout_id >= $3
      order by payout_id desc limit $4
    ), page as materialized (
      select p.* from ended join quipu.payout p on p.tenant_id = ended.tenant_id and p.id = payout_id
    ) ${shown}`
};
const listByTransaction$1 = {
	name: "payout.list_by_transaction",
	text: `
    with found as materialized (
      select * from quipu.payout where tenant_id = $1 and transaction_id = $5
    ), page as materialized (
      select * from found
      where id < $2 and id >= $3
        and ($6::text is null or $6 = (
          select e.status from quipu.payout_end e
          where e.payout_id = found.id and e.tenant_id = found.tenant_id
        ))
      limit $4
    ) ${shown}`
};
/** A payout's id begins with its creation instant, so bounds in time become bounds of ids. */
async function listPayouts$1(database, tenantId, query) {
	const { transactionId, status, from, limit } = query;
	const bounds = [
		tenantId,
		idBefore(query),
		from ? lowestId("po", from) : "",
		limit + 1
	];
	const read = (statement, ...more) => database.read(statement, [...bounds, ...more]);
	if (status === "completed" && transactionId === void 0) return scannedPageOf((await read(listCompleted)).map(payoutFromRow), limit, async () => {
		const [row] = await database.read(lastScanned$2, bounds.slice(0, 3));
		return row;
	});
	return pageOf((transactionId !== void 0 ? await read(listByTransaction$1, transactionId, status) : status === void 0 ? await read(listAll$1) : await read(listByStatus$1, status)).map(payoutFromRow), limit);
}
/** The exclusive upper id of the page; `to` is inclusive, in whole milliseconds. */
function idBefore({ after, to }) {
	const end = to ? lowestId("po", new Date(to.getTime() + 1)) : "po_~";
	return after !== void 0 && after.id < end ? after.id : end;
}
// packages/postgres/src/overview/payout-statements.ts
const inBounds = (id) => `${id} < $1 and ${id} >= $2`;
const page = (ids) => `
  page as materialized (
    select p.* from ${ids} i join quipu.payout p on p.tenant_id = i.tenant_id and p.id = i.payout_id
  )
  select ${payoutColumns} from ${payoutTables("page")} order by p.id desc`;
/**
* The payouts in `processing` with their bounds. The queue is read first and whole: a view over it would let
* the planner begin with the payouts, as their ids have the same bounds.
*/
const processing$1 = `
  queue as materialized (
    select o.tenant_id, o.payout_id from quipu.payout_open o
    union
    select i.tenant_id, i.payout_id from quipu.payout_lease l
    cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
  ), processing as materialized (
    select p.tenant_id, p.id as payout_id from queue c
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = c.tenant_id and p.id = c.payout_id offset 0
    ) p
    where not exists (
      select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
    ) and ${inBounds("c.payout_id")}
  )`;
/** Whether the network's reference of the QR is the one in this parameter; null for any. */
const hasReference = (parameter, payout) => `(${parameter}::text is null or ${parameter} = (
  select p.details ->> 'network_ref' from quipu.payout p
  where p.tenant_id = ${payout}.tenant_id and p.id = ${payout}.payout_id
))`;
/** A scalar, as an `exists` may become a scan of the whole queue. */
const isRaisedAbout = (payout) => `coalesce((
  select o.raised is not null from quipu.payout_open o
  where o.payout_id = ${payout}.payout_id and o.tenant_id = ${payout}.tenant_id
), false)`;
const listAll = {
	name: "overview.payouts",
	text: `
    with ended as materialized (
      select e.payout_id, e.tenant_id from quipu.payout_end e where ${inBounds("e.payout_id")}
      order by e.payout_id desc limit $3
    ), oldest as materialized (
      select min(e.payout_id) as id from ended e having count(*) >= $3
    ), ${processing$1}, ids as materialized (
      select * from (
        select * from ended
        union all
        select h.payout_id, h.tenant_id from processing h
        where h.payout_id >= coalesce((select o.id from oldest o), '')
      ) u order by u.payout_id desc limit $3
    ), ${page("ids")}`
};
/** Parameters: $4 tenant or null, $5 whether an alert must have been raised, $6 the network's reference or null. */
const listProcessing = {
	name: "overview.payouts_processing",
	text: `
    with ${processing$1}, ids as materialized (
      select h.payout_id, h.tenant_id from processing h
      where ($4::text is null or h.tenant_id = $4)
        and (not $5::boolean or ${isRaisedAbout("h")}) and ${hasReference("$6", "h")}
      order by h.payout_id desc limit $3
    ), ${page("ids")}`
};
/** Payouts that were not completed. Parameters: $4 status. */
const listExceptions = {
	name: "overview.payouts_by_status",
	text: `
    with ids as materialized (
      select e.payout_id, e.tenant_id from quipu.payout_end e
      where e.status = $4 and e.error_code is not null and ${inBounds("e.payout_id")}
      order by e.payout_id desc limit $3
    ), ${page("ids")}`
};
/**
* What a row must have. Parameters: $4 status, $5 error code, $6 the network's payment id, $7 its reference; null
* for any.
*/
const isWanted$1 = `
  ($4::text is null or e.status = $4) and ($5::text is null or e.error_code = $5)
  and ($6::text is null or e.network_payment_id = $6) and ${hasReference("$7", "e")}`;
/** Parameters: as `isWanted`, $8 transaction id, $9 tenant or null, $10 whether an alert was raised. */
const listByTransaction = {
	name: "overview.payouts_by_transaction",
	text: `
    with found as materialized (
      select p.tenant_id, p.id as payout_id from quipu.payout p where p.transaction_id = $8
    ), ids as materialized (
      select f.* from found f
      left join quipu.payout_end e on e.payout_id = f.payout_id and e.tenant_id = f.tenant_id
      where ${inBounds("f.payout_id")} and ($9::text is null or f.tenant_id = $9)
        and ($4::text is null or coalesce(e.status, 'processing') = $4)
        and ($5::text is null or e.error_code = $5)
        and ($6::text is null or e.network_payment_id = $6) and ${hasReference("$7", "f")}
        and (not $10::boolean or (e.payout_id is null and ${isRaisedAbout("f")}))
      order by f.payout_id desc limit $3
    ), ${page("ids")}`
};
const scanned = {
	ofAll: `
    select e.payout_id, e.tenant_id, e.status, e.error_code, e.network_payment_id
    from quipu.payout_end e where ${inBounds("e.payout_id")} order by e.payout_id desc`,
	ofTenant: (tenant) => `
    select p.id as payout_id, p.tenant_id, e.status, e.error_code, e.network_payment_id
    from (
      select p.id, p.tenant_id from quipu.payout p
      where p.tenant_id = ${tenant} and ${inBounds("p.id")} order by p.id desc limit ${scannedMax}
    ) p left join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id`
};
const newestWanted = `
  select e.payout_id, e.tenant_id from scanned e where ${isWanted$1}
  order by e.payout_id desc limit $3`;
/**
* Filters the next ended payouts, as their filter has no index, and those in `processing` that are newer than
* the last of them. Parameters: as `isWanted`.
*/
const scanAll = {
	name: "overview.scan_payouts",
	text: `
    with scanned as materialized (${scanned.ofAll} limit ${scannedMax}), oldest as materialized (
      select min(e.payout_id) as id from scanned e having count(*) >= ${scannedMax}
    ), ${processing$1}, ids as materialized (
      select * from (
        (${newestWanted})
        union all
        select h.payout_id, h.tenant_id from processing h
        where num_nulls($4, $5, $6) = 3 and ${hasReference("$7", "h")}
          and h.payout_id >= coalesce((select o.id from oldest o), '')
      ) u order by u.payout_id desc limit $3
    ), ${page("ids")}`
};
/** Filters the next payouts of a tenant. Parameters: as `isWanted`, $8 tenant. */
const scanTenant = {
	name: "overview.scan_payouts_of_tenant",
	text: `
    with scanned as materialized (${scanned.ofTenant("$8")} limit ${scannedMax}),
    ids as materialized (${newestWanted}), ${page("ids")}`
};
const lastScanned$1 = {
	name: "overview.last_scanned_payout",
	text: `
    select p.id, p.created_at as "createdAt" from (
      select e.payout_id, e.tenant_id from quipu.payout_end e where ${inBounds("e.payout_id")}
      order by e.payout_id desc offset 1999 limit 1
    ) e join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id`
};
/** Parameters: $3 tenant. */
const lastScannedOfTenant = {
	name: "overview.last_scanned_payout_of_tenant",
	text: `
    select p.id, p.created_at as "createdAt" from quipu.payout p
    where p.tenant_id = $3 and ${inBounds("p.id")} order by p.id desc offset 1999 limit 1`
};
const overviewPayoutStatements = [
	listAll,
	listProcessing,
	listExceptions,
	listByTransaction,
	scanAll,
	scanTenant,
	lastScanned$1,
	lastScannedOfTenant
];
// packages/postgres/src/overview/payout-list.ts
/** Payouts of all tenants, newest first. */
async function listPayouts(database, query) {
	const page = await pageOfPayouts(database, query);
	return {
		...page,
		items: await withOpenPayouts(database, page.items)
	};
}
async function pageOfPayouts(database, query) {
	const choice = choose(query);
	if (choice === "none") return {
		items: [],
		next: null
	};
	if ("ofTenant" in choice) return listPayouts$1(database, choice.ofTenant, choice.query);
	const bounds = idBoundsOf("po", query);
	const values = [
		...bounds,
		query.limit + 1,
		...choice.values.map((value) => value ?? null)
	];
	const payouts = (await database.read(choice.statement, values)).map(payoutFromRow);
	const { last } = choice;
	if (last === void 0) return pageOf(payouts, query.limit);
	return scannedPageOf(payouts, query.limit, async () => {
		const [row] = await database.read(last.statement, [...bounds, ...last.values]);
		return row;
	});
}
/** The statement whose index fits the filters best; `none` for filters that exclude each other. */
function choose(query) {
	const { tenantId, status, errorCode, transactionId, networkPaymentId, ...others } = query;
	const { networkReference, isRaised = false, ...period } = others;
	const ofEnd = [
		status,
		errorCode,
		networkPaymentId,
		networkReference
	];
	const isOfEnd = errorCode !== void 0 || networkPaymentId !== void 0;
	const isScanned = isOfEnd || networkReference !== void 0;
	if (transactionId !== void 0) return {
		statement: listByTransaction,
		values: [
			...ofEnd,
			transactionId,
			tenantId,
			isRaised
		]
	};
	if (status === "processing" || isRaised && status === void 0) return isOfEnd ? "none" : {
		statement: listProcessing,
		values: [
			tenantId,
			isRaised,
			networkReference
		]
	};
	if (isRaised) return "none";
	if (tenantId !== void 0) {
		const last = {
			statement: lastScannedOfTenant,
			values: [tenantId]
		};
		return isScanned ? {
			statement: scanTenant,
			values: [...ofEnd, tenantId],
			last
		} : {
			ofTenant: tenantId,
			query: {
				...period,
				...status && { status }
			}
		};
	}
	if (isScanned || status === "completed") return {
		statement: scanAll,
		values: ofEnd,
		last: {
			statement: lastScanned$1,
			values: []
		}
	};
	return status === void 0 ? {
		statement: listAll,
		values: []
	} : {
		statement: listExceptions,
		values: [status]
	};
}
// packages/postgres/src/overview/payout-activity.ts
/** Ended payouts by id, newest first. Parameters: $1 exclusive upper id, $2 inclusive lower id, $3 rows, $4 seconds. */
const readActivity = {
	name: "overview.activity",
	text: `
    with newest as materialized (
      select e.payout_id, e.tenant_id, e.status, e.ended_at from quipu.payout_end e
      where e.payout_id < $1 and e.payout_id >= $2 order by e.payout_id desc limit $3
    ), dated as materialized (
      select n.status, p.created_at,
        extract(epoch from n.ended_at - p.created_at)::float8 * 1000 as ms,
        date_bin(make_interval(secs => $4::float8), p.created_at, 'epoch') as at
      from newest n cross join lateral (
        select p.created_at from quipu.payout p
        where p.tenant_id = n.tenant_id and p.id = n.payout_id offset 0
      ) p
    )
    select d.at, d.status, count(*)::int as count, min(d.created_at) as oldest,
      percentile_disc(0.5) within group (order by d.ms) as median_ms,
      percentile_disc(0.95) within group (order by d.ms) as p95_ms
    from dated d group by grouping sets ((d.at, d.status), (d.at), ()) order by d.at`
};
const activityStatements = [readActivity];
async function payoutActivity(database, { from, stepSeconds }) {
	const values = [
		...idBoundsOf("po", {
			from,
			limit: 1
		}),
		activityPayoutsMax,
		stepSeconds
	];
	const rows = await database.read(readActivity, values);
	const whole = rows.find(({ at }) => at === null);
	return {
		completeFrom: (whole !== void 0 && whole.count >= 1e4 ? whole.oldest : null) ?? from,
		steps: rows.flatMap(({ at, status, median_ms: medianMs, p95_ms: p95Ms }) => {
			if (at === null || status !== null || medianMs === null || p95Ms === null) return [];
			return [{
				at,
				outcomes: outcomesAt(rows, at),
				medianMs,
				p95Ms
			}];
		})
	};
}
function outcomesAt(rows, at) {
	const count = (wanted) => rows.find((row) => row.at?.getTime() === at.getTime() && row.status === wanted)?.count ?? 0;
	return {
		completed: count("completed"),
		failed: count("failed"),
		rejected: count("rejected"),
		cancelled: count("cancelled")
	};
}
// packages/postgres/src/overview/wallet-list.ts
const listing$1 = (name, from) => ({
	name,
	text: `
    select w.id, w.tenant_id, w.available, w.held, w.created_at, w.updated_at,
      nullif(w.logged_at, '-infinity') as logged_at
    from ${from} w
    where w.id < $1 and w.id >= $2 order by w.id desc limit $3`
});
const list$2 = listing$1("overview.wallets", "quipu.wallet");
/** Parameters: $4 tenant. */
const ofTenant = listing$1("overview.wallet_of_tenant", "(select * from quipu.wallet where tenant_id = $4 offset 0)");
const overviewWalletStatements = [list$2, ofTenant];
async function listWallets(database, { tenantId, ...query }) {
	const values = [...idBoundsOf("wal", query), query.limit + 1];
	return pageOf((tenantId === void 0 ? await database.read(list$2, values) : await database.read(ofTenant, [...values, tenantId])).map(walletFromRow$1), query.limit);
}
const walletFromRow$1 = (row) => ({
	id: row.id,
	tenantId: row.tenant_id,
	available: usdt(row.available),
	held: usdt(row.held),
	newestEntryAt: row.logged_at,
	createdAt: row.created_at,
	updatedAt: row.updated_at
});
// packages/postgres/src/overview/payout-record.ts
/** The tenant of a payout by its id alone: it has ended, or is in the queue. */
const findTenant$1 = {
	name: "overview.payout_tenant",
	text: `
    select e.tenant_id from quipu.payout_end e where e.payout_id = $1
    union all
    select o.tenant_id from quipu.payout_open o where o.payout_id = $1
    union all
    select i.tenant_id from quipu.payout_lease l
    cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
    where i.payout_id = $1
    limit 1`
};
const findRecord = {
	name: "overview.payout",
	text: `
    select ${payoutColumns}, p.hold, p.available_after, p.held_after, p.applied_at,
      e.amount as end_amount, e.available_after as end_available_after,
      e.held_after as end_held_after, e.event_id
    from ${payoutTables("quipu.payout")} where p.tenant_id = $1 and p.id = $2`
};
const payoutRecordStatements = [findTenant$1, findRecord];
/** A payout of any tenant. */
async function readPayout(database, id) {
	const [found] = await database.read(findTenant$1, [id]);
	if (found === void 0) return void 0;
	const [row] = await database.read(findRecord, [found.tenant_id, id]);
	const [overview] = await withOpenPayouts(database, row ? [payoutFromRow(row)] : []);
	return row && overview && {
		...overview,
		postings: postingsOf(row),
		eventId: row.event_id
	};
}
const postingsOf = (row) => [...row.hold === null ? [] : [{
	type: "hold",
	amount: usdt(row.hold),
	availableAfter: usdt(row.available_after),
	heldAfter: usdt(row.held_after),
	at: row.applied_at
}], ...row.end_amount === null ? [] : [{
	type: row.status === "completed" ? "capture" : "release",
	amount: usdt(row.end_amount),
	availableAfter: usdt(row.end_available_after),
	heldAfter: usdt(row.end_held_after),
	at: row.ended_at
}]];
// packages/postgres/src/overview/overview-store.ts
/** Parameters: $1 tenant, $2 event. */
const deliveriesOf = deliveriesAt("overview.deliveries_of", ownEndpoints("w.tenant_id = $1"), eventPlaces("$2"));
[
	...activityStatements,
	...overviewPayoutStatements,
	...payoutRecordStatements,
	...overviewWalletStatements,
	...overviewEndpointStatements,
	...overviewEventStatements,
	...overviewFaucetStatements,
	...deliveryStatements,
	...findStatements
];
/** The records of all tenants in PostgreSQL. */
const postgresOverviewStore = (database) => ({
	payouts: (query) => listPayouts(database, query),
	payout: (id) => readPayout(database, id),
	activity: (query) => payoutActivity(database, query),
	wallets: (query) => listWallets(database, query),
	endpoints: (query) => listEndpoints$1(database, query),
	endpoint: (id) => readEndpoint(database, id),
	faucetSends: (query) => listFaucetSends(database, query),
	events: (query) => listEvents(database, query),
	event: (id) => findEvent(database, id),
	find: (text) => findRecords(database, text),
	delivery: (id) => findDelivery(database, id),
	deliveriesOf: async (tenantId, eventId) => {
		return (await database.read(deliveriesOf, [tenantId, eventId])).map(deliveryFromRow);
	}
});
// packages/postgres/src/batch/batch-tenants.ts
/**
* The tenants of a batch as its function takes them: each once and ascending, which is the order in which
* wallets are locked; and for each item the place of its tenant among them, from 1.
*/
function batchTenantColumns(tenantIds) {
	const tenants = [...new Set(tenantIds)].sort();
	const places = new Map(tenants.map((tenantId, index) => [tenantId, index + 1]));
	return [textArray(tenants), binaryArray("int4", tenantIds.map((tenantId) => places.get(tenantId)))];
}
// packages/postgres/src/payout/apply-payouts.ts
const applyPayouts = {
	name: "apply_payouts",
	text: `
    select quipu.apply_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as results`
};
/** Applies payouts: inserts them, uses their quotes and holds their prices. */
const applyPayoutsProtocol = (database) => ({
	statement: applyPayouts,
	encode: (items) => [
		...requestColumns$1(items),
		...leaseColumns(items),
		database.clockOverride()
	],
	resultOf: ({ results }, place) => results === null ? "committed" : results[place],
	readBack: async (items) => {
		return foundResults(items, await database.read(insertedPayouts, [items.map(({ step }) => step.payout.tenantId), items.map(({ step }) => step.payout.id)]), () => "committed");
	},
	isExpired: ({ deadline }) => deadline !== void 0 && deadline.leftMs() <= 0,
	isolation: {
		ownerOf: ({ step }) => step.payout.tenantId,
		isCostly: (result) => result !== "committed",
		now: () => performance.now()
	}
});
function requestColumns$1(items) {
	const payouts = items.map(({ step }) => step.payout);
	return [
		...batchTenantColumns(payouts.map(({ tenantId }) => tenantId)),
		textArray(payouts.map(({ id }) => id)),
		textArray(payouts.map(({ transactionId }) => transactionId)),
		textArray(items.map(({ fingerprint }) => fingerprint)),
		binaryArray("uuid", payouts.map(({ quoteId }) => quoteId)),
		binaryArray("int8", payouts.map(({ quote }) => quote.source.minor)),
		binaryArray("timestamptz", payouts.map(({ createdAt }) => createdAt)),
		textArray(items.map(({ step, traceparent }) => detailsText(step.payout, traceparent)))
	];
}
const leaseColumns = (items) => [binaryArray("int4", items.map(({ leaseSeconds }) => Math.round(leaseSeconds * 1e3)))];
/** A read-back recognizes a payout by its id. */
const insertedPayouts = {
	name: "payout.inserted",
	text: `
    select i.place::int - 1 as place
    from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, payout_id, place)
    where exists (
      select from quipu.payout p where p.tenant_id = i.tenant_id and p.id = i.payout_id
    )`
};
// packages/postgres/src/payout/insert-ended-payouts.ts
const insertEndedPayouts = {
	name: "insert_ended_payouts",
	text: `
    select results, redated_tos
    from quipu.insert_ended_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17)`
};
/** Inserts payouts that ended before they were applied. */
const insertEndedPayoutsProtocol = ({ read }) => ({
	statement: insertEndedPayouts,
	encode: (items) => [
		...requestColumns(items),
		...endColumns$1(items.map(({ step }) => step.payout)),
		...eventColumns$1(items.map(({ step }) => step.event))
	],
	resultOf: redatableResult,
	readBack: async (items) => {
		return foundResults(items, await read(endedPayouts, [items.map(({ step }) => step.payout.tenantId), items.map(({ step }) => step.payout.id)]), ({ step }, { ended_at: endedAt }) => durableResult(step.payout.endedAt, endedAt));
	},
	isExpired: ({ deadline }) => deadline !== void 0 && deadline.leftMs() <= 0
});
const endedPayouts = {
	name: "payout.ended",
	text: `
    select i.place::int - 1 as place, e.ended_at
    from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, payout_id, place)
    cross join lateral (
      select e.ended_at from quipu.payout_end e
      where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
    ) e`
};
function requestColumns(items) {
	const payouts = items.map(({ step }) => step.payout);
	return [
		textArray(payouts.map(({ tenantId }) => tenantId)),
		textArray(payouts.map(({ id }) => id)),
		textArray(payouts.map(({ transactionId }) => transactionId)),
		textArray(items.map(({ fingerprint }) => fingerprint)),
		binaryArray("uuid", payouts.map(({ quoteId }) => quoteId)),
		textArray(payouts.map(({ resolutionId }) => resolutionId)),
		binaryArray("int8", payouts.map(({ target }) => target.minor)),
		binaryArray("timestamptz", payouts.map(({ createdAt }) => createdAt)),
		textArray(payouts.map((payout) => detailsText(payout)))
	];
}
const endColumns$1 = (payouts) => [
	textArray(payouts.map(({ status }) => status)),
	textArray(payouts.map(({ error }) => error.code)),
	textArray(payouts.map(({ error }) => error.message)),
	binaryArray("timestamptz", payouts.map(({ endedAt }) => endedAt))
];
// packages/postgres/src/payout/settle-payouts.ts
const settlePayouts = {
	name: "settle_payouts",
	text: `
    select results, redated_tos
    from quipu.settle_payouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
};
/** Settles payouts in `processing`. */
const settlePayoutsProtocol = ({ read }) => ({
	statement: settlePayouts,
	encode: (items) => [
		...claimColumns$1(items),
		...endColumns(items.map(({ step }) => step.payout)),
		...eventColumns$1(items.map(({ step }) => step.event))
	],
	resultOf: redatableResult,
	readBack: async (items) => {
		return foundResults(items, await read(settledPayouts, [
			items.map(({ claim }) => claim.tenantId),
			items.map(({ claim }) => claim.payoutId),
			items.map(({ claim }) => claim.fencingToken),
			items.map(({ step }) => step.payout.status)
		]), ({ step }, { ended_at: endedAt }) => durableResult(step.payout.endedAt, endedAt));
	}
});
/** A read-back recognizes a settlement by the fencing token of its claim and its status. */
const settledPayouts = {
	name: "payout.settled",
	text: `
    select i.place::int - 1 as place, e.ended_at
    from unnest($1::text[], $2::text[], $3::int[], $4::text[]) with ordinality
      i (tenant_id, payout_id, fencing_token, status, place)
    cross join lateral (
      select e.ended_at from quipu.payout_end e
      where e.payout_id = i.payout_id and e.tenant_id = i.tenant_id
        and e.fencing_token = i.fencing_token and e.status = i.status
    ) e`
};
const claimColumns$1 = (items) => [
	...batchTenantColumns(items.map(({ claim }) => claim.tenantId)),
	textArray(items.map(({ claim }) => claim.payoutId)),
	binaryArray("int4", items.map(({ claim }) => claim.fencingToken)),
	binaryArray("int8", items.map(({ step }) => step.payout.quote.source.minor))
];
const endColumns = (payouts) => [
	textArray(payouts.map(({ status }) => status)),
	textArray(payouts.map((payout) => payout.status === "completed" ? null : payout.error.code)),
	textArray(payouts.map((payout) => payout.status === "completed" ? null : payout.error.message)),
	textArray(payouts.map((payout) => payout.status === "completed" ? payout.networkPaymentId : null)),
	binaryArray("timestamptz", payouts.map(({ endedAt }) => endedAt))
];
// packages/postgres/src/payout/payout-commit.ts
/**
* Writes payouts, each kind in batches of its own. New payouts and settlements take turns on the same
* connections: while one kind is written the other gathers, so that batches are larger and cost less.
* Payouts that are refused wait for neither.
*/
function payoutCommits(database, config, payingCount) {
	const paying = openBatchConnections(database, config, payingCount);
	const refusing = openBatchConnections(database, config);
	const applies = batchWriter(database, paying, applyPayoutsProtocol(database));
	const settles = batchWriter(database, paying, settlePayoutsProtocol(database));
	const insertions = batchWriter(database, refusing, insertEndedPayoutsProtocol(database));
	return {
		commit: async (write) => {
			switch (write.kind) {
				case "apply": return applies.write(tracedApplication(write, activeTraceparent()));
				case "insert_ended": return insertions.write(tracedCommit(write));
				case "settle": return settles.write(tracedCommit(write));
			}
		},
		close: async () => {
			await Promise.all([
				applies,
				settles,
				insertions
			].map((writer) => writer.idle()));
			await Promise.all([paying.close(), refusing.close()]);
		}
	};
}
/** The worker that resumes the payout continues the trace of its request. */
const tracedApplication = (write, traceparent) => traceparent === void 0 ? write : {
	...write,
	traceparent
};
// packages/postgres/src/payout/network-call-store.ts
const recordNetworkCalls = {
	name: "record_network_calls",
	text: "select quipu.record_network_calls($1, $2, $3)"
};
const listNetworkCalls = {
	name: "network_call.list",
	text: `
    select c.* from quipu.network_call c
    where c.payout_id = $4 and c.tenant_id = $5 and (c.asked_at, c.id) < ($1, $2)
    order by c.asked_at desc, c.id desc limit $3`
};
/** Calls to the network in PostgreSQL. `yield_payout` writes them, too. */
const postgresNetworkCallStore = (database) => ({
	record: async ({ tenantId, payoutId }, calls) => {
		if (calls.length === 0) return;
		await database.query(recordNetworkCalls, [
			tenantId,
			payoutId,
			callsToJson(calls)
		]);
	},
	list: async ({ tenantId, payoutId }, query) => {
		const values = [
			...keysetOf(query),
			payoutId,
			tenantId
		];
		return pageOf((await database.read(listNetworkCalls, values)).map(callFromRow), query.limit);
	}
});
/** The argument of `record_network_calls`; null when there are none. */
const callsToJson = (calls) => calls.length === 0 ? null : JSON.stringify(calls.map(({ askedBy, createdAt, durationMs, ...call }) => ({
	...call,
	asked_by: askedBy,
	asked_at: createdAt,
	duration_ms: durationMs
})));
function callFromRow({ id, kind, answer, detail, ...row }) {
	return {
		askedBy: row.asked_by,
		actor: row.actor,
		id,
		kind,
		answer,
		detail,
		createdAt: row.asked_at,
		durationMs: row.duration_ms
	};
}
// packages/postgres/src/payout/payout-queue.ts
const renewPayout = {
	name: "renew_payout",
	text: "select quipu.renew_payout($1, $2, $3, $4, $5) as is_newest"
};
const yieldPayout = {
	name: "yield_payout",
	text: "select quipu.yield_payout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as is_newest"
};
const catchUpPayouts = {
	name: "catch_up_payouts",
	text: "select quipu.catch_up_payouts($1, $2)"
};
/** The columns of a claim `c` and its payout that `claimedFromRow` needs. */
const claimColumns = `${payoutColumns}, c.fencing_token, c.claim_count, c.unanswered, c.raised,
  extract(epoch from c.moment - p.applied_at)::float8 as open_seconds`;
const claimPayouts = {
	name: "claim_payouts",
	text: `
    select ${claimColumns}
    from quipu.claim_payouts($1, $2, $3) c
    join ${payoutTables("quipu.payout")} on p.tenant_id = c.tenant_id and p.id = c.payout_id
    order by c.was_due_at`
};
const hintPayout = {
	name: "hint_payout",
	text: "select quipu.hint_payout($1, $2)"
};
/** The claims of payouts in `processing`, and when they are due. */
function payoutQueue(database) {
	const named = ({ tenantId, payoutId, fencingToken }) => [
		tenantId,
		payoutId,
		fencingToken
	];
	return {
		renew: async (claim, leaseSeconds) => {
			const values = [
				...named(claim),
				leaseSeconds,
				database.clockOverride()
			];
			const [row] = await database.query(renewPayout, values);
			return row?.is_newest ?? false;
		},
		yieldClaim: async (claim, { dueInSeconds, statusCall, raised, calls }) => {
			const alerts = Object.keys(raised).length > 0 ? JSON.stringify(raised) : null;
			const probeInSeconds = statusCall?.answered === false ? statusCall.probeInSeconds : null;
			const left = [
				dueInSeconds,
				statusCall?.answered ?? null,
				probeInSeconds,
				alerts,
				callsToJson(calls),
				catchUpPausesSeconds
			];
			const values = [
				...named(claim),
				...left,
				database.clockOverride()
			];
			const [row] = await database.query(yieldPayout, values);
			return row?.is_newest ?? false;
		},
		catchUp: async (perSecond) => {
			await database.query(catchUpPayouts, [perSecond, database.clockOverride()]);
		},
		claimDue: async (limit, leaseSeconds) => {
			const values = [
				limit,
				leaseSeconds,
				database.clockOverride()
			];
			return (await database.query(claimPayouts, values)).map(claimedFromRow);
		},
		wake: async (payoutId) => {
			await database.query(hintPayout, [payoutId, database.clockOverride()]);
		}
	};
}
const claimedFromRow = (row) => ({
	payout: processing(row),
	claim: {
		tenantId: row.tenant_id,
		payoutId: row.id,
		fencingToken: row.fencing_token
	},
	claimCount: row.claim_count,
	unansweredCount: row.unanswered,
	openSeconds: row.open_seconds,
	raised: row.raised ?? {},
	traceparent: row.details.traceparent
});
function processing(row) {
	const payout = payoutFromRow(row);
	if (payout.status !== "processing") throw new Error(`payout ${payout.id} is claimed and already settled: this is a bug`);
	return payout;
}
// packages/postgres/src/payout/payout-decision-store.ts
const claimPayout = {
	name: "claim_payout",
	text: `
    select c.result, ${claimColumns}
    from quipu.claim_payout($1, $2, $3, $4, $5, $6, $7) c
    join ${payoutTables("quipu.payout")} on p.tenant_id = $1 and p.id = $2`
};
const decidePayout = {
	name: "decide_payout",
	text: `
    select quipu.decide_payout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as result`
};
/** The tenant is not known yet: a skip scan over the tenants. */
const findUndecided = {
	name: "payout.find_undecided",
	text: `
    select ${payoutColumns}, c.asked_by is not null as is_asked
    from ${payoutTables("quipu.payout")}
    left join lateral (
      select c.asked_by from quipu.network_call c
      where c.payout_id = p.id and c.tenant_id = p.tenant_id and c.asked_by <> 'request'
      limit 1
    ) c on true
    where p.id = $1`
};
/** What operators decide about payouts, in PostgreSQL. */
const postgresPayoutDecisionStore = (database) => ({
	find: async (payoutId) => {
		const [row] = await database.read(findUndecided, [payoutId]);
		return row && {
			payout: payoutFromRow(row),
			isAsked: row.is_asked
		};
	},
	claim: async ({ tenantId, payoutId, question, actor, at }, leaseSeconds) => {
		const values = [
			...[
				tenantId,
				payoutId,
				question,
				actor,
				at
			],
			leaseSeconds,
			database.clockOverride()
		];
		const [row] = await database.write(claimPayout, values);
		if (!row) throw new Error(`no payout ${payoutId} of tenant ${tenantId}`);
		return row.result === "claimed" ? claimedFromRow(row) : row.result;
	},
	settle: async (settlement) => {
		const [row] = await database.write(decidePayout, [...decisionValues(settlement), ...eventValues(settlement)]);
		if (!row) throw new Error("decide_payout answered nothing");
		return row.result;
	}
});
const decisionValues = ({ step, action, ...author }) => {
	const { tenantId, id, endedAt, ...payout } = step.payout;
	const { outcome, paid, networkPaymentId } = action;
	const message = payout.status === "completed" ? null : payout.error.message;
	const decision = [
		outcome,
		paid && paid.minor,
		networkPaymentId,
		message
	];
	return [
		tenantId,
		id,
		author.proposalId,
		...decision,
		author.actor,
		author.reason,
		endedAt
	];
};
function eventValues({ step: { event } }) {
	if (event === null) throw new Error("a settlement by evidence has an event");
	const { places, bytes } = withTraceparent(packBody(event.body, event.places), activeTraceparent());
	const at = places && [
		places.id,
		places.occurredAt,
		places.recordedAt,
		places.settledAt
	];
	return [
		event.id,
		at,
		bytes
	];
}
// packages/postgres/src/operator-token/operator-token-store.ts
/** The columns that processes may read: all but the hash. */
const tokenColumns = `t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by,
  t.activated_at, t.expires_at, t.revoked_at, t.revoked_by`;
const authenticateOperator = {
	name: "authenticate_operator",
	text: `select ${tokenColumns} from quipu.authenticate_operator($1, $2) t`
};
const issueOperatorToken = {
	name: "issue_operator_token",
	text: "select quipu.issue_operator_token($1, $2, $3, $4, $5, $6, $7, $8) as result"
};
const proposeOperatorToken = {
	name: "propose_operator_token",
	text: `select quipu.propose_operator_token($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    as result`
};
const revokeOperatorToken = {
	name: "revoke_operator_token",
	text: "select quipu.revoke_operator_token($1, $2, $3) as revoked"
};
const findToken = {
	name: "operator_token.find",
	text: `select ${tokenColumns} from quipu.operator_token t where t.id = $1`
};
const listTokens = {
	name: "operator_token.list",
	text: `
    select ${tokenColumns} from quipu.operator_token t
    where (t.created_at, t.id) < ($1, $2) order by t.created_at desc, t.id desc limit $3`
};
/** Operator tokens in PostgreSQL. The stores' role can read no hash. */
const postgresOperatorTokenStore = (database) => ({
	authenticate: async (tokenHash, at) => {
		const [row] = await database.readLatest(authenticateOperator, [tokenHash, at]);
		return row && tokenFromRow(row);
	},
	find: async (id) => {
		const [row] = await database.read(findToken, [id]);
		return row && tokenFromRow(row);
	},
	list: async (query) => {
		return pageOf((await database.read(listTokens, keysetOf(query))).map(tokenFromRow), query.limit);
	},
	issue: async (issued, tokenHash) => {
		const values = [
			...columnsOf(issued),
			tokenHash,
			issued.token.createdAt
		];
		return resultOf$1(await database.write(issueOperatorToken, values));
	},
	propose: async (proposed, { id, reason, evidence, ...proposal }, tokenHash) => {
		const support = [
			id,
			reason,
			evidence?.note ?? null,
			evidence?.digest ?? null
		];
		const author = [
			proposal.proposedBy,
			tokenHash,
			proposal.createdAt,
			proposal.expiresAt
		];
		const values = [
			...columnsOf(proposed),
			...support,
			...author
		];
		return resultOf$1(await database.write(proposeOperatorToken, values));
	},
	revoke: async (id, tokenHash, at) => {
		const values = [
			id,
			tokenHash,
			at
		];
		const [row] = await database.write(revokeOperatorToken, values);
		const revoked = row?.revoked ?? null;
		if (revoked === null) return "unauthorized";
		return revoked ? "committed" : "stale";
	}
});
const columnsOf = ({ token, hash }) => [...[
	token.id,
	token.person,
	token.label,
	token.role
], ...[hash, token.expiresAt]];
function resultOf$1(rows) {
	const [row] = rows;
	if (row === void 0) throw new Error("the function returned no row");
	return row.result;
}
// packages/postgres/src/payout/find-for-create.ts
/**
* One statement, so one snapshot: whether the payout exists, its quote and its resolution. The payout itself,
* which only a repeated request finds, is read afterwards.
*/
const findForCreateStatement = {
	name: "payout.find_for_create",
	text: `
    select payout.is_stored, named.*, resolution.*
    from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality
      as i(tenant_id, transaction_id, quote_id, place)
    left join lateral (
      select true as is_stored from quipu.payout p
      where p.tenant_id = i.tenant_id and p.transaction_id = i.transaction_id limit 1
    ) payout on true
    left join lateral (
      select ${quoteViewColumns("$4")} from quipu.quote q
      where q.tenant_id = i.tenant_id and q.id = i.quote_id limit 1
    ) named on true
    left join lateral (
      select ${resolutionColumns} from quipu.qr_resolution r
      where r.tenant_id = i.tenant_id and r.id = named.quote_resolution_id limit 1
    ) resolution on true
    order by i.place`
};
/** Concurrent `latest` readings share one statement. */
function findForCreate(database, find) {
	const rowsBy = (query, refs) => {
		const column = (place) => refs.map((ref) => ref[place]);
		return query(findForCreateStatement, [
			textArray(column(0)),
			textArray(column(1)),
			binaryArray("uuid", column(2)),
			database.clockOverride()
		]);
	};
	const latest = sharedStatement(findForCreateStatement.name, (refs) => rowsBy(database.readLatest, refs));
	const confirmed = async (ref) => {
		const [row] = await rowsBy(database.read, [ref]);
		if (row === void 0) throw new Error("payout.find_for_create returned no row");
		return row;
	};
	return async (tenantId, transactionId, quoteId, reading) => {
		const ref = [
			tenantId,
			transactionId,
			quoteId
		];
		const row = await (reading === "latest" ? latest(ref) : confirmed(ref));
		return {
			stored: row.is_stored ? await find(tenantId, transactionId) : void 0,
			quote: row.quote_id === null ? void 0 : quoteViewFromRow(row),
			resolution: row.resolution_id === null ? void 0 : resolutionFromRow(row)
		};
	};
}
// packages/postgres/src/payout/payout-store.ts
const findPayout = {
	name: "payout.find",
	text: `
    select ${storedPayoutColumns("$3")} from ${storedPayoutTables}
    where p.tenant_id = $1 and p.transaction_id = $2`
};
const getPayout = {
	name: "payout.get",
	text: `
    select ${payoutColumns} from ${payoutTables("quipu.payout")}
    where p.tenant_id = $1 and p.id = $2`
};
/** Payouts in PostgreSQL. The tables are in migrations/0004-payouts.sql. */
function postgresPayoutStore(database, commits) {
	const find = async (tenantId, transactionId) => {
		const values = [
			tenantId,
			transactionId,
			database.clockOverride()
		];
		const [row] = await database.read(findPayout, values);
		return row && storedPayoutFromRow(row);
	};
	return {
		...payoutQueue(database),
		commit: commits.commit,
		findForCreate: findForCreate(database, find),
		find,
		get: async (tenantId, id) => {
			const [row] = await database.read(getPayout, [tenantId, id]);
			return row && payoutFromRow(row);
		},
		list: (tenantId, query) => listPayouts$1(database, tenantId, query)
	};
}
// packages/postgres/src/notice/notice-store.ts
const claimNotice = {
	name: "claim_notice",
	text: `
    select fencing_token, failed_attempts, entry_id, key_id, contact_name, contact_email
    from quipu.claim_notice($1, $2)`
};
const acceptNotice = {
	name: "accept_notice",
	text: "select quipu.accept_notice($1) as done"
};
const retryNotice = {
	name: "retry_notice",
	text: "select quipu.retry_notice($1, $2, $3) as done"
};
/** Notices to technical contacts in PostgreSQL. */
function postgresNoticeStore(database) {
	const audit = postgresAuditLog(database);
	const apiKeys = postgresApiKeyStore(database);
	const resultOf = ([row]) => row?.done ? "committed" : "stale";
	return {
		claim: async (leaseSeconds) => {
			const values = [leaseSeconds, database.clockOverride()];
			const [row] = await database.write(claimNotice, values);
			if (!row) return void 0;
			const { entry_id: entryId, key_id: keyId } = row;
			const found = entryId === null ? [] : await audit.list({
				limit: 1,
				before: entryId + 1n
			});
			const key = keyId === null ? void 0 : await apiKeys.find(keyId);
			const contact = {
				name: row.contact_name,
				email: row.contact_email
			};
			return {
				claim: { fencingToken: row.fencing_token },
				failedAttempts: row.failed_attempts,
				source: {
					entry: found[0] ?? null,
					key: key ?? null,
					contact
				}
			};
		},
		accept: async ({ fencingToken }) => resultOf(await database.write(acceptNotice, [fencingToken])),
		retry: async ({ fencingToken }, inMs) => {
			const values = [
				fencingToken,
				inMs,
				database.clockOverride()
			];
			return resultOf(await database.write(retryNotice, values));
		}
	};
}
// packages/postgres/src/process/process-store.ts
const recordProcess = {
	name: "record_process",
	text: "select quipu.record_process($1, $2, $3, $4, $5, $6)"
};
const endProcess = {
	name: "end_process",
	text: "select quipu.end_process($1)"
};
const listProcesses = {
	name: "process.list",
	text: `
    select p.id, p.program, p.host, p.ahead_ms::float8 as "aheadMs",
      greatest(0, extract(epoch from k.now - p.first_at))::float8 as "ageSeconds",
      greatest(0, extract(epoch from k.now - p.steady_at))::float8 as "steadySeconds",
      greatest(0, extract(epoch from k.now - p.seen_at))::float8 as "silentSeconds"
    from (select quipu.store_now($1) as now) k cross join quipu.process p
    order by p.program, p.first_at, p.id`
};
/** The processes of the service in PostgreSQL. */
const postgresProcessStore = (database) => ({
	beat: async ({ id, program, host, aheadMs }) => {
		const values = [
			id,
			program,
			host,
			aheadMs,
			15,
			database.clockOverride()
		];
		await database.write(recordProcess, values);
	},
	end: async (id) => {
		await database.write(endProcess, [id]);
	},
	list: () => database.query(listProcesses, [database.clockOverride()])
});
// packages/postgres/src/tenant/remember-request.ts
/**
* A statement that calls a creating function once for a request: both are one transaction.
*
* @param call  the call of the function
* @param request  the parameters of `remember_request`: person, key, fingerprint, id of what is created, instant
*/
const onceFor = (call, request) => `
  select r.fingerprint, r.subject, case when r.fingerprint is null then (${call}) is null end as called
  from quipu.remember_request(${request}) r`;
/** The parameters of a request for `onceFor`. */
const requestValues = (request) => [request?.key ?? null, request?.fingerprint ?? null];
/** The first request with the key; undefined when the function was called. */
const usedFromRow = (row) => typeof row?.fingerprint === "string" && row.subject !== null ? {
	fingerprint: row.fingerprint,
	subject: row.subject
} : void 0;
// packages/postgres/src/proposal/proposal-row.ts
/** The columns of table `p` that `proposalFromRow` needs. */
const proposalColumns = `p.id, p.tenant_id, p.action, p.subject, p.details, p.reason, p.evidence_note,
  p.evidence_digest, p.proposed_by, p.created_at, p.expires_at, p.status, p.approved_at, p.approved_by,
  p.executed_at, p.withdrawn_at, p.withdrawn_by, p.failed_at, p.failure`;
/** The columns of later states are null before; the table's checks say which. */
function proposalFromRow(row) {
	const { evidence_note: note, evidence_digest: digest } = row;
	const draft = {
		id: row.id,
		tenantId: row.tenant_id,
		action: readAction({
			type: row.action,
			subject: row.subject,
			details: row.details
		}),
		reason: row.reason,
		evidence: note === null || digest === null ? null : {
			note,
			digest
		},
		proposedBy: row.proposed_by,
		createdAt: row.created_at,
		expiresAt: row.expires_at
	};
	const approval = {
		at: row.approved_at,
		by: row.approved_by
	};
	switch (row.status) {
		case "open": return {
			...draft,
			status: "open"
		};
		case "approved": return {
			...draft,
			status: "approved",
			approval
		};
		case "executed": return {
			...draft,
			status: "executed",
			approval,
			executedAt: row.executed_at
		};
		case "failed": return {
			...draft,
			status: "failed",
			approval,
			failure: {
				at: row.failed_at,
				code: row.failure
			}
		};
		case "withdrawn": return {
			...draft,
			status: "withdrawn",
			withdrawal: {
				at: row.withdrawn_at,
				by: row.withdrawn_by
			}
		};
	}
}
// packages/postgres/src/proposal/proposal-list.ts
const listing = (name, where) => ({
	name,
	text: `
    select ${proposalColumns} from quipu.proposal p
    where ${where} and (p.created_at, p.id) < ($1, $2) and ($4::text is null or p.action = $4)
      and ($6::boolean is null or (p.expires_at <= $7::timestamptz) = $6)
    order by p.created_at desc, p.id desc limit $3`
});
const isOfStatus = "($5::text is null or p.status = $5)";
const list$1 = listing("proposal.list", "$5::text is null and $8::text is null and $9::text is null");
const listByStatus = listing("proposal.list_by_status", "p.status = $5 and $8::text is null and $9::text is null");
const listOfTenant = listing("proposal.list_of_tenant", `p.tenant_id = $8 and ${isOfStatus} and $9::text is null`);
const listOfSubject = listing("proposal.list_of_subject", `p.subject = $9 and ${isOfStatus} and ($8::text is null or p.tenant_id = $8)`);
/** Proposals, newest first. `expired` is not stored: it is `open` and older than its `expires_at`. */
async function listProposals(database, { status, now, tenantId, action, subject, ...query }) {
	const stored = status === "expired" ? "open" : status;
	const isExpired = stored === "open" ? status === "expired" : null;
	const values = [
		...keysetOf(query),
		action,
		stored,
		isExpired,
		now,
		tenantId,
		subject
	];
	const statement = subject === void 0 ? tenantId === void 0 ? stored === void 0 ? list$1 : listByStatus : listOfTenant : listOfSubject;
	return pageOf((await database.read(statement, values.map((value) => value ?? null))).map(proposalFromRow), query.limit);
}
// packages/postgres/src/proposal/proposal-store.ts
const openProposal = {
	name: "open_proposal",
	text: `select r.fingerprint, r.subject, case when r.fingerprint is null then quipu.open_proposal(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) end as result
    from quipu.proposer($3, $13, $10) p (person)
    cross join lateral quipu.remember_request(p.person, $14, $15, $2, $10) r
    where p.person is not null`
};
const approveProposal = {
	name: "approve_proposal",
	text: "select quipu.approve_proposal($1, $2, $3, $4, $5) as result"
};
const withdrawProposal = {
	name: "withdraw_proposal",
	text: "select quipu.withdraw_proposal($1, $2, $3, $4, $5) as result"
};
const failProposal = {
	name: "fail_proposal",
	text: "select quipu.fail_proposal($1, $2, $3, $4) as changed"
};
const findProposal = {
	name: "proposal.find",
	text: `select ${proposalColumns} from quipu.proposal p where p.id = $1`
};
/** Proposals in PostgreSQL. `adjust_wallets` and `resolve_reviews` mark them executed. */
const postgresProposalStore = (database) => ({
	insert: async (proposal, tokenHash, request) => {
		const { type, subject, details } = storedAction(proposal.action);
		const { id, tenantId, reason, evidence, proposedBy, createdAt, expiresAt } = proposal;
		const action = [
			tenantId,
			id,
			type,
			subject,
			JSON.stringify(details),
			reason
		];
		const support = [evidence?.note ?? null, evidence?.digest ?? null];
		const author = [
			proposedBy,
			createdAt,
			expiresAt,
			proposal.status === "approved"
		];
		const values = [
			...action,
			...support,
			...author,
			tokenHash,
			...requestValues(request)
		];
		const [row] = await database.write(openProposal, values);
		return usedFromRow(row) ?? row?.result ?? "unauthorized";
	},
	find: async (id) => {
		const [row] = await database.read(findProposal, [id]);
		return row && proposalFromRow(row);
	},
	list: (query) => listProposals(database, query),
	commit: async (proposal, tokenHash) => {
		const [statement, actor, at] = stepOf(proposal);
		const values = [
			proposal.tenantId,
			proposal.id,
			actor,
			tokenHash,
			at
		];
		return resultOf(await database.write(statement, values));
	},
	fail: async ({ tenantId, id, failure: { code, at } }) => {
		const [row] = await database.write(failProposal, [
			tenantId,
			id,
			code,
			at
		]);
		return row?.changed ? "committed" : "stale";
	}
});
function resultOf([row]) {
	if (row === void 0) throw new Error("the function returned no row");
	return row.result;
}
function stepOf(proposal) {
	if (proposal.status === "approved") return [
		approveProposal,
		proposal.approval.by,
		proposal.approval.at
	];
	return [
		withdrawProposal,
		proposal.withdrawal.by,
		proposal.withdrawal.at
	];
}
// packages/postgres/src/rate-limit/rate-limit-store.ts
const recordRateUse = {
	name: "record_rate_use",
	text: "select quipu.record_rate_use($1, $2, $3, $4, $5) as used"
};
const forgetRateUse = {
	name: "forget_rate_use",
	text: "select quipu.forget_rate_use($1)::float8 as forgotten"
};
/** What all processes have allowed, in PostgreSQL. */
const postgresRateLimitStore = (database) => ({
	async record(uses) {
		const [row] = await database.query(recordRateUse, [
			uses.map(({ key }) => key),
			uses.map(({ count }) => count),
			uses.map(({ ageMs }) => Math.max(0, Math.round(ageMs))),
			uses.map(({ perSecond }) => perSecond),
			database.clockOverride()
		]);
		return row?.used ?? [];
	},
	async forget() {
		return (await database.query(forgetRateUse, [database.clockOverride()]))[0]?.forgotten ?? 0;
	}
});
// packages/postgres/src/quote/quote-store.ts
const insertQuote = {
	name: "insert_quote",
	text: `
    select created_at, expires_at
    from quipu.insert_quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
};
const findQuote = {
	name: "quote.find",
	text: `
    select ${quoteViewColumns("$3")} from quipu.quote q where q.tenant_id = $1 and q.id = $2`
};
/** Quotes in PostgreSQL. `apply_payouts` marks them as used. */
const postgresQuoteStore = (database) => ({
	insert: async (draft, lifeSeconds) => {
		const [row] = await database.query(insertQuote, [
			draft.tenantId,
			draft.id,
			draft.resolutionId,
			draft.rate,
			draft.target.minor,
			draft.principal.minor,
			draft.fee.minor,
			draft.source.minor,
			draft.bid,
			draft.rateSource,
			lifeSeconds,
			database.clockOverride()
		]);
		if (row === void 0) throw new Error(`insert_quote returned no row for quote ${draft.id}`);
		const { created_at: createdAt, expires_at: expiresAt } = row;
		if (createdAt === null) throw new Unavailable("rate_source", "an operator has paused quoting");
		return {
			...draft,
			createdAt,
			expiresAt
		};
	},
	find: async (tenantId, id) => {
		const [row] = await database.read(findQuote, [
			tenantId,
			id,
			database.clockOverride()
		]);
		return row && quoteViewFromRow(row);
	}
});
// packages/postgres/src/reconciliation/compared-records.ts
const paymentColumns = `e.payout_id, e.tenant_id, e.status, p.target, p.created_at, e.ended_at, e.network_payment_id`;
/** `offset 0` keeps the lookups in this order: one by reference, then one by tenant and id. */
const findEnded = {
	name: "reconciliation.find_ended",
	text: `
    select ${paymentColumns}
    from unnest($1::text[]) i (id)
    cross join lateral (
      select * from quipu.payout_end e where e.payout_id = i.id offset 0
    ) e
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = i.id limit 1
    ) p`
};
/**
* A payout in `processing` is in its first lease, or has a row of `payout_open`. Both name its tenant. The view
* `held_payout` has the same payouts, but cannot be searched by id without reading all of them.
*/
const findProcessing = {
	name: "reconciliation.find_processing",
	text: `
    with candidate as (
      select u.tenant_id, u.payout_id
      from quipu.payout_lease l
      cross join unnest(l.tenant_ids, l.payout_ids) u (tenant_id, payout_id)
      where u.payout_id = any ($1::text[])
      union
      select o.tenant_id, o.payout_id
      from unnest($1::text[]) i (id)
      cross join lateral (
        select * from quipu.payout_open o where o.payout_id = i.id offset 0
      ) o
    )
    select p.id as payout_id, p.tenant_id, 'processing' as status, p.target, p.created_at,
      null::timestamptz as ended_at, null as network_payment_id
    from candidate c
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = c.tenant_id and p.id = c.payout_id limit 1
    ) p
    where not exists (
      select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
    )`
};
/** In the order of their events' ids. Parameters: $1 exclusive lower id, $2 upper id, $3 number of rows. */
const findCompleted = {
	name: "reconciliation.find_completed",
	text: `
    select ${paymentColumns}, e.event_id
    from (
      select * from quipu.payout_events($1::uuid, $2::uuid) e
      where e.status = 'completed' and e.event_id > $1::uuid order by e.event_id limit $3
    ) e
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id limit 1
    ) p
    order by e.event_id`
};
const addressFunds = {
	name: "reconciliation.address_funds",
	text: `
    select a.tenant_id as "tenantId", a.index, a.account, a.address, f.received, f.through
    from (
      select * from quipu.top_up_address a where a.chain = $1 and a.index >= $2
      order by a.index limit $3
    ) a
    cross join lateral (
      select coalesce(sum(d.amount), 0) as received,
        coalesce(sum(d.amount) filter (where d.solid_block <= $4), 0) as through
      from quipu.deposit d
      where d.address = a.address and d.chain = a.chain
        and d.solid = 'confirmed'
    ) f
    order by a.index`
};
const pageSize = 2e3;
/** The records that reconciliation compares, in PostgreSQL. */
const postgresComparedRecords = (database) => ({
	findPayments: async (references) => {
		const find = async (statement, before) => {
			const found = new Set(before.map((row) => row.payout_id));
			const missing = references.filter((reference) => !found.has(reference));
			if (missing.length === 0) return before;
			return [...before, ...await database.query(statement, [textArray(missing)])];
		};
		const known = await find(findProcessing, await find(findEnded, []));
		return (await find(findEnded, known)).map(paymentFromRow);
	},
	completedPayments: (period) => completedPages(database, period),
	addressFunds: async (chain, fromIndex, limit, throughBlock) => {
		const values = [
			chain,
			fromIndex,
			limit,
			throughBlock
		];
		return (await database.query(addressFunds, values)).map(({ through, ...row }) => ({
			...row,
			receivedThrough: through
		}));
	}
});
/** A statement reads and sorts all payouts of its step, so a step should have few pages. */
async function* completedPages(database, period) {
	const to = period.to.getTime();
	let stepMs = 6e4;
	for (let from = period.from.getTime(); from < to;) {
		const end = Math.min(from + stepMs, to);
		let pages = 0;
		for await (const page of pagesBetween(database, lowestEventId(from), lowestEventId(end))) {
			pages++;
			yield page.map(paymentFromRow);
		}
		stepMs = pages > 2 ? Math.max(stepMs / 2, 1e3) : stepMs * 2;
		from = end;
	}
}
async function* pagesBetween(database, since, until) {
	let after = since;
	while (after !== void 0) {
		const values = [
			after,
			until,
			pageSize
		];
		const rows = await database.query(findCompleted, values);
		if (rows.length > 0) yield rows;
		after = rows.length < pageSize ? void 0 : rows.at(-1)?.event_id;
	}
}
const paymentFromRow = (row) => ({
	payoutId: row.payout_id,
	tenantId: row.tenant_id,
	status: row.status,
	target: bob(row.target),
	createdAt: row.created_at,
	endedAt: row.ended_at,
	networkPaymentId: row.network_payment_id
});
// packages/postgres/src/reconciliation/reconciliation-row.ts
/** The columns of table `r` that `runFromRow` needs. */
const runColumns = `r.id, r.check_name, r.from_at, r.to_at, r.scheduled_for::text as day, r.requested_by,
  r.created_at, r.position, r.slices, r.compared, r.differences, r.failure, r.completed_at, r.fencing_token`;
const runFromRow = (row) => ({
	id: row.id,
	check: row.check_name,
	period: row.from_at && row.to_at && {
		from: row.from_at,
		to: row.to_at
	},
	scheduledFor: row.day,
	requestedBy: row.requested_by,
	createdAt: row.created_at,
	position: Number(row.position),
	slices: row.slices,
	compared: Number(row.compared),
	differences: Number(row.differences),
	completedAt: row.completed_at,
	failure: row.failure
});
// packages/postgres/src/reconciliation/reconciliation-store.ts
const openReconciliation = {
	name: "open_reconciliation",
	text: "select quipu.open_reconciliation($1, $2, $3, $4, $5, $6, $7, $8) as done"
};
const claimReconciliation = {
	name: "claim_reconciliation",
	text: `select ${runColumns} from quipu.claim_reconciliation($1, $2, $3) r`
};
const advanceReconciliation = {
	name: "advance_reconciliation",
	text: "select quipu.advance_reconciliation($1, $2, $3, $4, $5, $6, $7) as done"
};
const yieldReconciliation = {
	name: "yield_reconciliation",
	text: "select quipu.yield_reconciliation($1, $2, $3, $4, $5) as done"
};
const find = {
	name: "reconciliation.find",
	text: `select ${runColumns} from quipu.reconciliation_run r where r.id = $1`
};
const list = {
	name: "reconciliation.list",
	text: `
    select ${runColumns} from quipu.reconciliation_run r
    where (r.created_at, r.id) < ($1, $2) and ($4::text is null or r.check_name = $4)
      and ($5::boolean is null or (r.completed_at is not null) = $5)
    order by r.created_at desc, r.id desc limit $3`
};
const lastScheduled = {
	name: "reconciliation.last_scheduled",
	text: `
    select ${runColumns} from quipu.reconciliation_run r
    where r.check_name = $1 and r.scheduled_for is not null
    order by r.scheduled_for desc limit 1`
};
/** Reconciliation runs in PostgreSQL, and the records that they compare. */
const postgresReconciliationStore = (database) => ({
	open: async ({ id, check, period, scheduledFor, requestedBy, createdAt, position }) => {
		const values = [
			id,
			check,
			period?.from ?? null,
			period?.to ?? null,
			scheduledFor
		];
		const [row] = await database.write(openReconciliation, [
			...values,
			requestedBy,
			createdAt,
			position
		]);
		return row?.done ? "opened" : "exists";
	},
	claimDue: async (checks, leaseSeconds) => {
		const values = [
			checks,
			leaseSeconds,
			database.clockOverride()
		];
		const [row] = await database.query(claimReconciliation, values);
		const { fencing_token: fencingToken = 0, id = "" } = row ?? {};
		return row && {
			claim: {
				id,
				fencingToken
			},
			run: runFromRow(row)
		};
	},
	advance: async ({ id, fencingToken }, { position, compared, differences, isLast }, at) => {
		const values = [
			id,
			fencingToken,
			position,
			compared,
			differences,
			isLast,
			at
		];
		const [row] = await database.query(advanceReconciliation, values);
		return row?.done === true;
	},
	yieldClaim: async ({ id, fencingToken }, failure, dueInSeconds) => {
		const values = [
			id,
			fencingToken,
			failure,
			dueInSeconds,
			database.clockOverride()
		];
		const [row] = await database.query(yieldReconciliation, values);
		return row?.done === true;
	},
	find: async (id) => {
		const [row] = await database.read(find, [id]);
		return row && runFromRow(row);
	},
	list: async ({ check, isCompleted, ...query }) => {
		const values = [
			...keysetOf(query),
			check ?? null,
			isCompleted ?? null
		];
		return pageOf((await database.read(list, values)).map(runFromRow), query.limit);
	},
	lastScheduled: async (check) => {
		const [row] = await database.query(lastScheduled, [check]);
		return row && runFromRow(row);
	},
	...postgresComparedRecords(database)
});
// packages/postgres/src/quote/quoting-store.ts
const setQuoting = {
	name: "set_quoting",
	text: "select quipu.set_quoting($1, $2, $3, $4) as changed"
};
const getQuoting = {
	name: "quoting.get",
	text: "select q.status, q.changed_at, q.changed_by, q.reason from quipu.quoting q"
};
/** Whether quotes are given, in PostgreSQL. `insert_quote` obeys it. */
const postgresQuotingStore = (database) => ({
	get: async () => {
		const [row] = await database.read(getQuoting, []);
		if (row === void 0) return {
			status: "open",
			change: null
		};
		const { status, changed_at: at, changed_by: by, reason } = row;
		return {
			status,
			change: at === null || by === null ? null : {
				by,
				at,
				reason
			}
		};
	},
	set: async (status, { by, at, reason }) => {
		const values = [
			status,
			by,
			at,
			reason
		];
		const [row] = await database.write(setQuoting, values);
		return row?.changed ? "committed" : "stale";
	}
});
// packages/postgres/src/quote/resolution-store.ts
const insertResolution = {
	name: "insert_resolution",
	text: "select quipu.insert_resolution($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
};
const findResolution = {
	name: "resolution.find",
	text: `
    select ${resolutionColumns} from quipu.qr_resolution r where r.tenant_id = $1 and r.id = $2`
};
/** QR readings in PostgreSQL. */
const postgresResolutionStore = (database) => ({
	insert: async (resolution) => {
		await database.query(insertResolution, [
			resolution.tenantId,
			resolution.id,
			resolution.networkRef,
			resolution.amountMode,
			resolution.amount?.minor,
			resolution.merchant.name,
			resolution.merchant.bankCode,
			resolution.description,
			resolution.expiresAt,
			resolution.contentHash,
			resolution.createdAt
		]);
	},
	find: async (tenantId, id) => {
		const [row] = await database.read(findResolution, [tenantId, id]);
		return row && resolutionFromRow(row);
	}
});
// packages/postgres/src/deposit/scan-store.ts
const claimScan = {
	name: "claim_scan",
	text: `
    select fencing_token, block_number, block_id, block_at
    from quipu.claim_scan($1, $2, $3, $4)`
};
const renewScan = {
	name: "renew_scan",
	text: "select quipu.renew_scan($1, $2, $3, $4, $5) as done"
};
const yieldScan = {
	name: "yield_scan",
	text: "select quipu.yield_scan($1, $2, $3) as done"
};
const rewindScan = {
	name: "rewind_scan",
	text: "select quipu.rewind_scan($1, $2, $3, $4, $5, $6, $7) as done"
};
const advanceScan = {
	name: "advance_scan",
	text: `
    select quipu.advance_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28) as contradicted`
};
const at = {
	name: "scan.at",
	text: `
    select block_number, block_id, block_at from quipu.scan where chain = $1 and view = $2`
};
const refsAbove = {
	name: "scan.refs_above",
	text: `
    select number, id, at from quipu.scanned_block
    where chain = $1 and number > $2 order by number desc`
};
const unconfirmed = {
	name: "scan.unconfirmed",
	text: `
    select chain, tx_hash, transfer_index, address, expires_at from quipu.deposit
    where chain = $1 and first_block <= $2 and status = 'pending' and solid is null`
};
/** Scans in PostgreSQL. The deposit store settles the deposits that they insert. */
const postgresScanStore = (database) => ({
	claim: async (chain, view, leaseSeconds) => {
		const values = [
			chain,
			view,
			leaseSeconds,
			database.clockOverride()
		];
		const [row] = await database.query(claimScan, values);
		return row && {
			claim: {
				chain,
				view,
				fencingToken: row.fencing_token
			},
			at: atFromRow(row)
		};
	},
	renew: async ({ chain, view, fencingToken }, leaseSeconds) => {
		const values = [
			chain,
			view,
			fencingToken,
			leaseSeconds,
			database.clockOverride()
		];
		const [row] = await database.query(renewScan, values);
		return row?.done === true;
	},
	yieldClaim: async ({ chain, view, fencingToken }) => {
		await database.query(yieldScan, [
			chain,
			view,
			fencingToken
		]);
	},
	at: async (chain, view) => {
		const [row] = await database.read(at, [chain, view]);
		return row && atFromRow(row);
	},
	refsAbove: async (chain, number) => {
		return (await database.query(refsAbove, [chain, number])).map((row) => ({
			...row,
			number: Number(row.number)
		}));
	},
	unconfirmed: async (chain, throughBlock) => {
		return (await database.query(unconfirmed, [chain, throughBlock])).map(unconfirmedFromRow);
	},
	advance: async ({ chain, view, fencingToken }, write) => {
		const values = [
			chain,
			view,
			fencingToken,
			...advanceValues(write),
			database.clockOverride()
		];
		const [row] = await database.query(advanceScan, values);
		if (!row?.contradicted) return { type: "stale" };
		const places = new Set(row.contradicted);
		return {
			type: "committed",
			contradicted: write.observedTransfers.filter((_, n) => places.has(n + 1)).map(({ step: { deposit } }) => {
				return {
					chain,
					txHash: deposit.txHash,
					transferIndex: deposit.transferIndex
				};
			})
		};
	},
	rewind: async ({ chain, fencingToken }, from, to) => {
		const values = [
			chain,
			fencingToken,
			from.number,
			from.id,
			to.number,
			to.id,
			to.at
		];
		const [row] = await database.query(rewindScan, values);
		return row?.done ? "committed" : "stale";
	}
});
const atFromRow = (row) => row.block_number === null ? void 0 : {
	number: Number(row.block_number),
	id: row.block_id,
	at: row.block_at
};
const unconfirmedFromRow = (row) => ({
	chain: row.chain,
	txHash: row.tx_hash,
	transferIndex: row.transfer_index,
	address: row.address,
	expiresAt: row.expires_at
});
const advanceValues = ({ from, blocks, observedTransfers, gone }) => [
	from?.number,
	from?.id,
	blockNumbers(blocks.map(({ number }) => number)),
	textArray(blocks.map(({ id }) => id)),
	binaryArray("timestamptz", blocks.map((block) => block.at)),
	textArray(gone.map(({ txHash }) => txHash)),
	binaryArray("int4", gone.map(({ transferIndex }) => transferIndex)),
	...transferColumns$1(observedTransfers),
	...eventColumns$1(observedTransfers.map(({ step }) => tracedEvent(step.event)))
];
function transferColumns$1(observed) {
	const deposits = observed.map(({ step }) => step.deposit);
	const instants = (instantOf) => binaryArray("timestamptz", observed.map(instantOf));
	return [
		textArray(deposits.map(({ id }) => id)),
		textArray(deposits.map(({ tenantId }) => tenantId)),
		textArray(deposits.map(({ txHash }) => txHash)),
		binaryArray("int4", deposits.map(({ transferIndex }) => transferIndex)),
		textArray(deposits.map(({ address }) => address)),
		textArray(deposits.map(({ fromAddress }) => fromAddress)),
		textArray(observed.map(({ sender }) => sender)),
		binaryArray("numeric", deposits.map(({ amount }) => amount.minor)),
		blockNumbers(observed.map(({ block }) => block)),
		instants(({ step }) => step.deposit.createdAt),
		instants(({ expiresAt }) => expiresAt),
		instants(({ step }) => step.event.occurredAt),
		instants(({ step }) => step.event.recordedAt)
	];
}
const blockNumbers = (numbers) => binaryArray("int8", numbers.map(BigInt));
// packages/postgres/src/sweep/sweep-row.ts
/** The columns of table `t` that `transferFromRow` needs. */
const transferColumns = `t.id, t.batch_id, t.account, t.address, t.index, t.amount, t.tx_hash,
  encode(t.raw, 'hex') as raw, t.transaction, t.expires_at, t.energy, t.fee_limit, t.trx_needed, t.trx_missing,
  t.status, encode(t.signature, 'hex') as signature, t.sent_at, t.problem, t.ended_at`;
const transferFromRow = (row) => ({
	id: row.id,
	batchId: row.batch_id,
	account: row.account,
	address: row.address,
	index: row.index,
	amount: usdt(row.amount),
	txHash: row.tx_hash,
	rawHex: row.raw,
	transaction: row.transaction,
	expiresAt: row.expires_at,
	energy: row.energy,
	feeLimit: row.fee_limit,
	trxNeeded: row.trx_needed,
	trxMissing: row.trx_missing,
	status: row.status,
	signature: row.signature,
	sentAt: row.sent_at,
	problem: row.problem,
	endedAt: row.ended_at
});
/** A transfer as `plan_sweep` reads it. Numbers are texts, as JSON cannot hold 64 bits. */
const transferItem = (transfer) => ({
	id: transfer.id,
	account: transfer.account,
	address: transfer.address,
	index: transfer.index,
	amount: transfer.amount.minor.toString(),
	tx_hash: transfer.txHash,
	raw: transfer.rawHex,
	transaction: transfer.transaction,
	energy: transfer.energy.toString(),
	fee_limit: transfer.feeLimit.toString(),
	trx_needed: transfer.trxNeeded.toString(),
	trx_missing: transfer.trxMissing.toString()
});
/** The columns of table `b` that `batchFromRow` needs. */
const batchColumns = `b.id, b.chain, b.treasury_account, b.treasury, b.threshold, b.created_by,
  b.created_at, b.expires_at`;
const batchFromRow = (row) => ({
	id: row.id,
	chain: row.chain,
	treasury: {
		account: row.treasury_account,
		address: row.treasury
	},
	threshold: usdt(row.threshold),
	createdBy: row.created_by,
	createdAt: row.created_at,
	expiresAt: row.expires_at
});
// packages/postgres/src/sweep/sweep-list.ts
const isLive = `t.status in ('planned', 'signed')`;
const listAddresses = {
	name: "sweep.list_addresses",
	text: `
    select a.tenant_id, a.account, a.address, a.index, a.created_at, d.received, s.swept, s.live
    from (
      select * from quipu.top_up_address a
      where a.chain = $4 and (a.created_at, a.address) < ($1, $2)
      order by a.created_at desc, a.address desc limit $3
    ) a
    cross join lateral (
      select coalesce(sum(d.amount), 0) as received from quipu.deposit d
      where d.address = a.address and d.chain = a.chain and d.solid = 'confirmed'
    ) d
    cross join lateral (
      select coalesce(sum(t.amount) filter (where t.status = 'solid'), 0) as swept,
        max(t.id) filter (where ${isLive}) as live
      from quipu.sweep_transfer t where t.account = a.account and t.chain = a.chain
    ) s`
};
const findBatch = {
	name: "sweep.find_batch",
	text: `select ${batchColumns} from quipu.sweep_batch b where b.id = $1`
};
const listTransfers = {
	name: "sweep.list_transfers",
	text: `
    select ${transferColumns} from quipu.sweep_transfer t where t.batch_id = $1
    order by t.batch_id, t.index, t.id`
};
const listBatches = {
	name: "sweep.list_batches",
	text: `
    select ${batchColumns}, c.planned, c.signed, c.solid, c.failed, c.expired
    from (
      select * from quipu.sweep_batch b where (b.created_at, b.id) < ($1, $2)
      order by b.created_at desc, b.id desc limit $3
    ) b
    cross join lateral (
      select count(*) filter (where t.status = 'planned')::int as planned,
        count(*) filter (where t.status = 'signed')::int as signed,
        count(*) filter (where t.status = 'solid')::int as solid,
        count(*) filter (where t.status = 'failed')::int as failed,
        count(*) filter (where t.status = 'expired')::int as expired
      from quipu.sweep_transfer t where t.batch_id = b.id
    ) c`
};
const sumSwept = {
	name: "sweep.sum_swept",
	text: `
    select w.account, coalesce(s.solid, 0) as solid, coalesce(s.live, 0) as live
    from unnest($2::text[]) w (account)
    cross join lateral (
      select sum(t.amount) filter (where t.status = 'solid') as solid,
        sum(t.amount) filter (where ${isLive}) as live
      from quipu.sweep_transfer t where t.account = w.account and t.chain = $1
    ) s
    where s.solid is not null or s.live is not null`
};
async function readAddresses(database, chain, query) {
	const { items, next } = pageOf((await database.read(listAddresses, [...keysetOf(query), chain])).map((row) => {
		const address = addressFromRow(row);
		return {
			createdAt: address.createdAt,
			id: address.address,
			address
		};
	}).toSorted(newestFirst), query.limit);
	return {
		items: items.map(({ address }) => address),
		next
	};
}
const addressFromRow = (row) => ({
	tenantId: row.tenant_id,
	account: row.account,
	address: row.address,
	index: row.index,
	createdAt: row.created_at,
	received: usdt(row.received),
	swept: usdt(row.swept),
	liveTransferId: row.live
});
/** The joins keep the page's order in fact, but SQL does not promise it. */
const newestFirst = (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
async function findPlan(database, id) {
	const [batch] = await database.read(findBatch, [id]);
	if (!batch) return void 0;
	const transfers = await database.read(listTransfers, [id]);
	return {
		batch: batchFromRow(batch),
		transfers: transfers.map(transferFromRow)
	};
}
async function readBatches(database, query) {
	const { items, next } = pageOf((await database.read(listBatches, keysetOf(query))).map((row) => {
		const { planned, signed, solid, failed, expired } = row;
		const counts = {
			planned,
			signed,
			solid,
			failed,
			expired
		};
		return {
			id: row.id,
			createdAt: row.created_at,
			batch: batchFromRow(row),
			counts
		};
	}).toSorted(newestFirst), query.limit);
	return {
		items: items.map(({ batch, counts }) => ({
			batch,
			counts
		})),
		next
	};
}
async function readSwept(database, chain, accounts) {
	const wanted = Array.from(new Set(accounts));
	const rows = await database.read(sumSwept, [chain, wanted]);
	return new Map(rows.map(({ account, solid, live }) => [account, {
		solid: usdt(solid),
		live: usdt(live)
	}]));
}
// packages/postgres/src/sweep/sweep-store.ts
const planSweep = {
	name: "plan_sweep",
	text: `
    select id from quipu.plan_sweep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) id`
};
const signSweep = {
	name: "sign_sweep",
	text: "select id from quipu.sign_sweep($1, $2, $3, $4, $5, $6) id"
};
const claimSweeps = {
	name: "claim_sweeps",
	text: `
    select ${transferColumns}, t.fencing_token, t.claim_count, b.treasury_account
    from quipu.claim_sweeps($1, $2, $3) t join quipu.sweep_batch b on b.id = t.batch_id`
};
const yieldSweep = {
	name: "yield_sweep",
	text: "select quipu.yield_sweep($1, $2, $3, $4, $5, $6) as done"
};
const settleSweep = {
	name: "settle_sweep",
	text: "select quipu.settle_sweep($1, $2, $3, $4) as done"
};
/** When a worker looks first whether a planned transfer was signed and sent elsewhere. */
const firstLookSeconds = 600;
/** Sweeps in PostgreSQL. */
const postgresSweepStore = (database) => ({
	addresses: (chain, query) => readAddresses(database, chain, query),
	find: (batchId) => findPlan(database, batchId),
	list: (query) => readBatches(database, query),
	sweptOf: (chain, accounts) => readSwept(database, chain, accounts),
	insert: (plan) => insertOnce(database, plan),
	sign: async (batchId, signatures, { actor, at }) => {
		return (await database.write(signSweep, [
			batchId,
			signatures.map(({ transferId }) => transferId),
			signatures.map(({ signature }) => Buffer.from(signature, "hex")),
			actor,
			at,
			database.clockOverride()
		])).map(({ id }) => id);
	},
	claimDue: async (limit, leaseSeconds) => {
		const values = [
			limit,
			leaseSeconds,
			database.clockOverride()
		];
		return (await database.write(claimSweeps, values)).map((row) => ({
			claim: {
				transferId: row.id,
				fencingToken: row.fencing_token
			},
			transfer: transferFromRow(row),
			treasury: row.treasury_account,
			claimCount: row.claim_count
		}));
	},
	yieldClaim: async ({ transferId, fencingToken }, dueInSeconds, { sentAt, problem }) => {
		const values = [
			transferId,
			fencingToken,
			dueInSeconds,
			sentAt,
			problem,
			database.clockOverride()
		];
		const [row] = await database.query(yieldSweep, values);
		return row?.done ?? false;
	},
	settle: async ({ transferId, fencingToken }, status, at) => {
		const [row] = await database.write(settleSweep, [
			transferId,
			fencingToken,
			status,
			at
		]);
		return row?.done ? "committed" : "stale";
	}
});
/** Reads the batch back after a lost answer, so that a plan that was committed is not reported as unknown. */
async function insertOnce(database, plan) {
	try {
		return await insert(database, plan);
	} catch (error) {
		if (!(error instanceof Unavailable)) throw error;
		const find = async () => (await findPlan(database, plan.batch.id))?.transfers;
		const stored = await find();
		if (stored !== void 0) return stored;
		const repeated = await insert(database, plan);
		return repeated.length > 0 ? repeated : await find() ?? repeated;
	}
}
async function insert(database, { batch, transfers }) {
	const { id, chain, treasury, threshold, createdBy, createdAt, expiresAt } = batch;
	const values = [
		id,
		chain,
		treasury.account,
		treasury.address,
		threshold.minor,
		createdBy
	];
	const rows = await database.write(planSweep, [
		...values,
		...[
			createdAt,
			expiresAt,
			firstLookSeconds,
			JSON.stringify(transfers.map(transferItem))
		],
		database.clockOverride()
	]);
	const inserted = new Set(rows.map((row) => row.id));
	return transfers.filter((each) => inserted.has(each.id));
}
// packages/postgres/src/statement/statement-store.ts
/**
* The newest checkpoint before each instant and the entries since. A checkpoint is added every 10,000 entries,
* which bounds what is read.
*/
const balancesBefore = {
	name: "statement.balances_before",
	text: `
    select coalesce(c.balance, 0) + coalesce(since.balance, 0) as balance
    from unnest($2::timestamptz[]) with ordinality i (at, n)
    left join lateral (
      select c.through_at, c.through_seq,
        c.deposit - c.capture + c.adjustment_in - c.adjustment_out as balance
      from quipu.balance_checkpoint c
      where c.tenant_id = $1 and c.through_at < i.at
      order by c.through_at desc, c.through_seq desc limit 1
    ) c on true
    cross join lateral (
      select sum(coalesce(m.deposit, m.adjustment_in, -m.capture, -m.adjustment_out)) as balance
      from quipu.log_movement m
      where m.tenant_id = $1 and m.logged_at < i.at
        and (m.logged_at, m.seq) > (coalesce(c.through_at, '-infinity'), coalesce(c.through_seq, 0))
        -- Excludes nothing. Of a range the planner expects few rows, and so it uses the log's index.
        and m.logged_at >= coalesce(c.through_at, '-infinity')
    ) since
    order by i.n`
};
/** Both parts are read by their own index and limited, so that neither is sorted. */
const readEntries = {
	name: "statement.entries",
	text: `
    select e.seq, e.logged_at, e.type, e.amount, e.balance_after, e.payout_id, e.deposit_id, (
        select p.transaction_id from quipu.payout p
        where p.tenant_id = $1 and p.id = e.payout_id and e.type = 'capture'
      ) as transaction_id
    from (
      (
        select seq, ended_at as logged_at, case status when 'completed' then 'capture' end as type,
          amount, available_after::numeric + held_after as balance_after, payout_id, null as deposit_id
        from quipu.payout_end
        where tenant_id = $1 and (ended_at, seq) > ($2, $3) and ended_at < $4
        order by ended_at, seq limit $5
      ) union all (
        select seq, logged_at, case type when 'deposit.credited' then 'deposit'
            when 'adjustment_in' then type when 'adjustment_out' then type end,
          amount, available_after::numeric + held_after, null, subject_id
        from quipu.funding_entry
        where tenant_id = $1 and (logged_at, seq) > ($2, $3) and logged_at < $4
        order by logged_at, seq limit $5
      )
    ) e
    order by e.logged_at, e.seq limit $5`
};
/** Statements in PostgreSQL. */
const postgresStatementStore = (database) => ({
	balancesBefore: async (tenantId, instants) => {
		return (await database.read(balancesBefore, [tenantId, instants])).map(({ balance }) => usdt(balance));
	},
	transactions: async (tenantId, { from, to, after, limit }) => {
		const seq = after && walletTransactionSeq(after.id);
		const values = [
			tenantId,
			after?.createdAt ?? from,
			seq ?? 0n,
			to,
			limit
		];
		const rows = await database.read(readEntries, values);
		const last = rows.at(-1);
		const isMore = last !== void 0 && rows.length === limit;
		return {
			items: rows.flatMap((row) => transactionFromRow$1(tenantId, row) ?? []),
			next: isMore ? {
				createdAt: last.logged_at,
				id: walletTransactionId(tenantId, last.logged_at, last.seq)
			} : null
		};
	}
});
const movements$1 = {
	capture: {
		direction: "out",
		type: "payout"
	},
	deposit: {
		direction: "in",
		type: "deposit"
	},
	adjustment_in: {
		direction: "in",
		type: "adjustment"
	},
	adjustment_out: {
		direction: "out",
		type: "adjustment"
	}
};
const transactionFromRow$1 = (tenantId, row) => row.type === null ? void 0 : {
	seq: row.seq,
	id: walletTransactionId(tenantId, row.logged_at, row.seq),
	...movements$1[row.type],
	amount: usdt(row.amount),
	balanceAfter: usdt(row.balance_after),
	payoutId: row.payout_id,
	depositId: row.type === "deposit" ? row.deposit_id : null,
	transactionId: row.transaction_id,
	createdAt: row.logged_at
};
// packages/postgres/src/tenant/tenant-store.ts
const createTenant = {
	name: "create_tenant",
	text: onceFor("quipu.create_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)", "$13, $15, $16, $1, $14")
};
const findTenant = {
	name: "tenant.find",
	text: `
    select ${tenantColumns}, ${dailyUse("$2").columns}
    from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse("$2").join}
    where t.id = $1`
};
const listTenants = {
	name: "tenant.list",
	text: `
    select ${tenantColumns}, ${dailyUse("$4").columns}
    from quipu.tenant t join quipu.wallet w on w.tenant_id = t.id ${dailyUse("$4").join}
    where (t.created_at, t.id) < ($1, $2)
    order by t.created_at desc, t.id desc limit $3`
};
const changeTenant = {
	name: "change_tenant",
	text: `
    select quipu.change_tenant(
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as result`
};
const identityValues = ({ legalName, technicalContact: { name, email } }) => [
	legalName,
	name,
	email
];
const termsValues = ({ pricing: { marginBps, feeBps, feeFixed, paymentCap }, dailyLimits: { amount, count } }) => [
	marginBps,
	feeBps,
	feeFixed.minor,
	paymentCap.minor,
	amount?.minor ?? null,
	count
];
/** Tenants in PostgreSQL. */
const postgresTenantStore = (database) => ({
	create: async (tenant, walletId, actor, request) => {
		const { id, status, createdAt } = tenant;
		const all = [
			...[
				id,
				...identityValues(tenant),
				status,
				...termsValues(tenant),
				walletId
			],
			actor,
			createdAt,
			...requestValues(request)
		];
		const [row] = await database.write(createTenant, all);
		return usedFromRow(row) ?? "committed";
	},
	find: async (id) => {
		const values = [id, database.clockOverride()];
		const [row] = await database.read(findTenant, values);
		return row && tenantRecordFromRow(row);
	},
	list: async (query) => {
		const values = [...keysetOf(query), database.clockOverride()];
		return pageOf((await database.read(listTenants, values)).map(tenantRecordFromRow), query.limit);
	},
	update: async (tenant, action, { actor, at, tokenHash }) => {
		const { id, status, revision } = tenant;
		const all = [
			...[
				id,
				revision - 1,
				status,
				...identityValues(tenant),
				...termsValues(tenant)
			],
			action,
			actor,
			at,
			tokenHash ?? null
		];
		const [row] = await database.write(changeTenant, all);
		if (row === void 0) throw new Error("the function returned no row");
		return row.result;
	}
});
// packages/postgres/src/deposit/top-up-address-store.ts
const listInUse = {
	name: "top_up_address.list",
	text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.tenant_id = $1 and a.retired_at is null`
};
const findInUse = {
	name: "top_up_address.find_in_use",
	text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.tenant_id = $1 and a.chain = $2 and a.retired_at is null`
};
const match = {
	name: "top_up_address.match",
	text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.chain = $1 and a.account = any ($2::text[])`
};
const drawTopUpIndex = {
	name: "draw_top_up_index",
	text: "select quipu.draw_top_up_index($1, $2) as index"
};
const insertTopUpAddress = {
	name: "insert_top_up_address",
	text: "select quipu.insert_top_up_address($1, $2, $3, $4, $5, $6, $7)"
};
const retireTopUpAddress = {
	name: "retire_top_up_address",
	text: "select quipu.retire_top_up_address($1, $2, $3, $4) as retired"
};
const listByOtherKeys$1 = {
	name: "top_up_address.list_by_other_keys",
	text: `
    select ${topUpColumns} from quipu.top_up_address a
    where a.account > $2 and split_part(a.address_mac, '.', 1) <> $1
    order by a.account, a.chain limit $3`
};
const keyUse$1 = {
	name: "top_up_address.key_use",
	text: `
    select split_part(a.address_mac, '.', 1) as "keyId", count(*)::int as count
    from quipu.top_up_address a group by 1 order by 1`
};
const renewAddressMac = {
	name: "renew_address_mac",
	text: "select quipu.renew_address_mac($1, $2, $3, $4) as renewed"
};
/** Top-up addresses in PostgreSQL. */
const postgresTopUpAddressStore = (database) => ({
	list: async (tenantId) => (await database.read(listInUse, [tenantId])).map(topUpFromRow),
	ensure: (tenantId, chain, make) => database.transaction(async (query) => {
		const [drawn] = await query(drawTopUpIndex, [tenantId, chain]);
		if (drawn?.index === null) {
			const [inUse] = await query(findInUse, [tenantId, chain]);
			if (inUse !== void 0) return topUpFromRow(inUse);
		}
		if (typeof drawn?.index !== "number") throw new Error(`draw_top_up_index has no sequence for the chain ${chain}`);
		const { index, account, address, mac, createdAt } = make(drawn.index);
		await query(insertTopUpAddress, [
			tenantId,
			chain,
			index,
			account,
			address,
			mac,
			createdAt
		]);
		return {
			tenantId,
			chain,
			index,
			account,
			address,
			mac,
			createdAt,
			retiredAt: null
		};
	}),
	match: async (chain, accounts) => accounts.length === 0 ? [] : (await database.query(match, [chain, accounts])).map(topUpFromRow),
	listByOtherKeys: async (keyId, after, limit) => (await database.query(listByOtherKeys$1, [
		keyId,
		after,
		limit
	])).map(topUpFromRow),
	renewMac: async ({ chain, account, mac: former }, mac) => {
		const values = [
			chain,
			account,
			former,
			mac
		];
		const [row] = await database.write(renewAddressMac, values);
		return row?.renewed ?? false;
	},
	keyUse: () => database.query(keyUse$1, []),
	retire: async (tenantId, chain, { actor, at }) => {
		const values = [
			tenantId,
			chain,
			actor,
			at
		];
		const [row] = await database.write(retireTopUpAddress, values);
		return row?.retired ?? false;
	}
});
// packages/postgres/src/ledger/wallet-transactions.ts
/** The ends of payouts. Nearly all payouts are completed, so these have no index of their own. */
const ends = `
      from quipu.payout_end e
      where 'capture' = any ($6) and e.tenant_id = $1
        and (e.ended_at, e.seq) < ($2, $3) and e.ended_at >= $4 and e.ended_at <= $5
      order by e.ended_at desc, e.seq desc`;
const funding$1 = (type, entryType, depositId) => `
      select '${type}', f.amount, f.available_after, f.held_after, null, ${depositId}, f.seq, f.logged_at
      from quipu.funding_entry f
      where '${type}' = any ($6) and f.tenant_id = $1 and f.type = '${entryType}'
        and (f.logged_at, f.seq) < ($2, $3) and f.logged_at >= $4 and f.logged_at <= $5
      order by f.logged_at desc, f.seq desc limit $7`;
const readTransactions = {
	name: "wallet.transactions",
	text: `
    with ended as materialized (
      select e.* ${ends} limit ${scannedMax}
    ), captures as materialized ( -- stops reading "ended" after $7 captures
      select 'capture' as type, e.amount, e.available_after, e.held_after, e.payout_id,
        null as deposit_id, e.seq, e.ended_at as logged_at
      from ended e where e.status = 'completed' limit $7
    ), last_scanned as materialized ( -- older entries belong on a later page
      select e.ended_at, e.seq from ended e
      where (select count(*) from captures) < $7 offset 1999 limit 1
    ), page as materialized (
      select * from (select * from captures union all ${[
		funding$1("deposit", "deposit.credited", "f.subject_id"),
		funding$1("adjustment_in", "adjustment_in", "null"),
		funding$1("adjustment_out", "adjustment_out", "null")
	].map((select) => `(${select}\n      )`).join(" union all ")}) m
      where not exists (select from last_scanned s where (m.logged_at, m.seq) < (s.ended_at, s.seq))
      order by m.logged_at desc, m.seq desc limit $7
    )
    select page.type, page.amount, page.available_after::numeric + page.held_after as balance_after,
      page.payout_id, page.deposit_id, page.seq, page.logged_at as created_at, (
        select p.transaction_id from quipu.payout p
        where p.tenant_id = $1 and p.id = page.payout_id
      ) as transaction_id
    from page
    order by page.logged_at desc, page.seq desc`
};
const lastScanned = {
	name: "wallet.transactions_last_scanned",
	text: `select e.ended_at as created_at, e.seq ${ends} offset 1999 limit 1`
};
const movements = {
	capture: {
		direction: "out",
		type: "payout"
	},
	deposit: {
		direction: "in",
		type: "deposit"
	},
	adjustment_in: {
		direction: "in",
		type: "adjustment"
	},
	adjustment_out: {
		direction: "out",
		type: "adjustment"
	}
};
const movingTypes = [
	"capture",
	"deposit",
	"adjustment_in",
	"adjustment_out"
];
/** The movements in and out of a wallet, newest first. */
async function walletTransactions(database, tenantId, query) {
	const { after, from, to, limit } = query;
	const types = movingTypes.filter((each) => isWanted(each, query));
	const seq = after && walletTransactionSeq(after.id);
	const values = [
		tenantId,
		after?.createdAt ?? "infinity",
		seq ?? 0n,
		from ?? "-infinity",
		to ?? "infinity",
		types,
		limit + 1
	];
	return scannedPageOf((await database.read(readTransactions, values)).map((row) => transactionFromRow(tenantId, row)), limit, async () => {
		const [last] = await database.read(lastScanned, values.slice(0, 6));
		if (last === void 0) return void 0;
		const { created_at: createdAt, seq: lastSeq } = last;
		return {
			createdAt,
			id: walletTransactionId(tenantId, createdAt, lastSeq)
		};
	});
}
const isWanted = (each, { direction, type }) => (type === void 0 || movements[each].type === type) && (direction === void 0 || movements[each].direction === direction);
const transactionFromRow = (tenantId, row) => ({
	seq: row.seq,
	id: walletTransactionId(tenantId, row.created_at, row.seq),
	...movements[row.type],
	amount: usdt(row.amount),
	balanceAfter: usdt(row.balance_after),
	payoutId: row.payout_id,
	depositId: row.deposit_id,
	transactionId: row.transaction_id,
	createdAt: row.created_at
});
// packages/postgres/src/ledger/wallet-store.ts
const usedToday = dailyUse("$2");
const walletColumns = `w.id, w.tenant_id, w.available, w.held, w.created_at, w.updated_at, ${usedToday.columns}`;
const totalColumns = Object.keys(transferLegs).map((type) => `coalesce(sum(p.amount) filter (where p.type = '${type}'), 0) as ${type}`).join(", ");
const moving = [
	"deposit",
	"capture",
	"adjustment_in",
	"adjustment_out"
];
const bookColumns = moving.map((type) => `since.${type} + coalesce(newest.${type}, 0) as ${type}`).join(", ");
const sinceColumns = moving.map((type) => `coalesce(sum(m.${type}), 0) as ${type}`).join(", ");
const findWallet = {
	name: "wallet.find",
	text: `select ${walletColumns} from quipu.wallet w ${usedToday.join} where w.tenant_id = $1`
};
const totalsOf = {
	name: "wallet.totals",
	text: `select ${totalColumns} from quipu.posting p where p.tenant_id = $1`
};
/**
* One statement, so one snapshot: the newest checkpoint, the log since, and the holds of payouts in
* `processing`.
*/
const booksOf = {
	name: "wallet.books",
	text: `
    select ${walletColumns}, ${bookColumns}, holds.hold
    from quipu.wallet w ${usedToday.join}
    left join lateral (
      select * from quipu.balance_checkpoint c
      where c.tenant_id = w.tenant_id order by c.through_seq desc limit 1
    ) newest on true
    cross join lateral (
      select ${sinceColumns} from quipu.log_movement m
      where m.tenant_id = $1 and (m.logged_at, m.seq)
        > (coalesce(newest.through_at, '-infinity'), coalesce(newest.through_seq, 0))
        -- Excludes nothing. Of a range the planner expects few rows, and so it uses the log's index.
        and m.logged_at between coalesce(newest.through_at, '-infinity') and 'infinity'
    ) since
    cross join (
      select coalesce(sum(h.hold), 0) as hold from quipu.held_payout h where h.tenant_id = $1
    ) holds
    where w.tenant_id = $1`
};
/** Wallets in PostgreSQL. The stores of payouts and deposits move their money. */
const postgresWalletStore = (database, adjustments) => ({
	find: async (tenantId) => {
		const [row] = await database.read(findWallet, [tenantId, database.clockOverride()]);
		return row && walletFromRow(row);
	},
	totals: async (tenantId) => {
		const [row] = await database.read(totalsOf, [tenantId]);
		if (row === void 0) throw new Error(`the totals query returned no row for ${tenantId}`);
		return totalsFromRow(row, row.hold - row.capture - row.release);
	},
	books: async (tenantId) => {
		const [row] = await database.read(booksOf, [tenantId, database.clockOverride()]);
		return row && {
			wallet: walletFromRow(row),
			totals: totalsFromRow(row, row.hold)
		};
	},
	transactions: (tenantId, query) => walletTransactions(database, tenantId, query),
	adjust: adjustments.write
});
const walletFromRow = (row) => ({
	id: row.id,
	tenantId: row.tenant_id,
	available: usdt(row.available),
	held: usdt(row.held),
	usedToday: dailyUseFromRow(row),
	createdAt: row.created_at,
	updatedAt: row.updated_at
});
const totalsFromRow = (row, held) => ({
	credited: usdt(row.deposit),
	debited: usdt(row.capture),
	adjusted: usdt(row.adjustment_in - row.adjustment_out),
	held: usdt(held)
});
// packages/postgres/src/webhook/webhook-store.ts
const registerEndpoint = {
	name: "register_endpoint",
	text: `
    select quipu.register_endpoint($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as registered`
};
const getEndpoint = {
	name: "webhook.get",
	text: `select ${endpointColumns} from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1`
};
const listEndpoints = {
	name: "webhook.list",
	text: `
    select ${endpointColumns} from quipu.webhook_endpoint w
    where w.tenant_id = $4 and (w.created_at, w.id) < ($1, $2)
    order by w.created_at desc, w.id desc limit $3`
};
const countQueued = {
	name: "webhook.queued",
	text: `
    select quipu.count_queued(w.id)::int as queued
    from quipu.webhook_endpoint w where w.id = $2 and w.tenant_id = $1`
};
const changeEndpoint = {
	name: "change_endpoint",
	text: "select quipu.change_endpoint($1, $2, $4, $5, $6, $7, $8, $3)"
};
const removeEndpoint = {
	name: "remove_endpoint",
	text: "select quipu.remove_endpoint($1, $2) as removed"
};
const lockSecrets = {
	name: "lock_secrets",
	text: "select quipu.lock_secrets($1, $2) as secrets"
};
const replaceSecrets = {
	name: "replace_secrets",
	text: "select quipu.replace_secrets($1, $2, $3, $4)"
};
const reactivateEndpoint = {
	name: "reactivate_endpoint",
	text: "select requeued::int, redelivered::int from quipu.reactivate_endpoint($1, $2, $3, $4, $5)"
};
const listByOtherKeys = {
	name: "webhook.list_by_other_keys",
	text: `
    select w.id, w.tenant_id as "tenantId", w.secrets from quipu.webhook_endpoint w
    where w.id > $2 and exists (
      select from jsonb_array_elements(w.secrets) s where split_part(s->>'ciphertext', '.', 1) <> $1
    )
    order by w.id limit $3`
};
const keyUse = {
	name: "webhook.key_use",
	text: `
    select split_part(s->>'ciphertext', '.', 1) as "keyId", count(*)::int as count
    from quipu.webhook_endpoint w cross join jsonb_array_elements(w.secrets) s group by 1 order by 1`
};
const renewSecrets = {
	name: "renew_secrets",
	text: "select quipu.renew_secrets($1, $2, $3, $4) as renewed"
};
/** Webhook endpoints in PostgreSQL. */
const postgresWebhookStore = (database) => ({
	insert: (stored, policy) => register(database, stored, policy),
	get: async (tenantId, id) => {
		const [row] = await database.read(getEndpoint, [tenantId, id]);
		return row && storedFromRow(row);
	},
	list: async (tenantId, query) => {
		return pageOf((await database.read(listEndpoints, [...keysetOf(query), tenantId])).map(endpointFromRow), query.limit);
	},
	queued: async (tenantId, id) => {
		const [row] = await database.read(countQueued, [tenantId, id]);
		return row?.queued ?? 0;
	},
	update: (tenantId, id, { url, events, description }, at) => database.transaction(async (query) => {
		await query(changeEndpoint, [
			tenantId,
			id,
			at,
			url,
			events !== void 0,
			events,
			description !== void 0,
			description
		]);
		const [row] = await query(getEndpoint, [tenantId, id]);
		return row && endpointFromRow(row);
	}),
	remove: async (tenantId, id) => {
		const [row] = await database.query(removeEndpoint, [tenantId, id]);
		return row?.removed ?? false;
	},
	rotate: (tenantId, id, at, rotate) => database.transaction(async (query) => {
		const [row] = await query(lockSecrets, [tenantId, id]);
		if (!row?.secrets) return "not_found";
		const secrets = rotate(secretsFromRows(row.secrets));
		if (!secrets) return "refused";
		await query(replaceSecrets, [
			tenantId,
			id,
			secretsText(secrets),
			at
		]);
		return "committed";
	}),
	...renewal(database),
	reactivate: (tenantId, id, { redeliverSeconds }, at) => database.transaction(async (query) => {
		const values = [
			tenantId,
			id,
			redeliverSeconds,
			at,
			database.clockOverride()
		];
		const [counts] = await query(reactivateEndpoint, values);
		const [row] = await query(getEndpoint, [tenantId, id]);
		if (!row || !counts) return void 0;
		const { requeued, redelivered } = counts;
		if (requeued === null || redelivered === null) return "paused_by_operator";
		return {
			endpoint: endpointFromRow(row),
			requeued,
			redelivered
		};
	})
});
/** What the renewal of secrets after a key's rotation needs. */
const renewal = (database) => ({
	listByOtherKeys: async (keyId, after, limit) => {
		return (await database.query(listByOtherKeys, [
			keyId,
			after,
			limit
		])).map((row) => ({
			...row,
			secrets: secretsFromRows(row.secrets)
		}));
	},
	renewSecrets: async ({ tenantId, id, secrets }, renewed) => {
		const values = [
			tenantId,
			id,
			secretsText(secrets),
			secretsText(renewed)
		];
		const [row] = await database.write(renewSecrets, values);
		return row?.renewed ?? false;
	},
	keyUse: () => database.query(keyUse, [])
});
async function register(database, { endpoint, secrets }, { endpointsPerTenant }) {
	const [row] = await database.query(registerEndpoint, [
		endpoint.tenantId,
		endpoint.id,
		endpoint.url,
		endpoint.events,
		endpoint.description,
		endpoint.status,
		endpoint.consecutiveFailures,
		endpoint.pausedAt,
		secretsText(secrets),
		endpoint.createdAt,
		endpoint.updatedAt,
		endpointsPerTenant
	]);
	return row?.registered ? "committed" : "limit_reached";
}
// packages/postgres/src/stores.ts
/**
* All stores, over one PostgreSQL database that `migrate` has brought up to date. Connects on first use, and
* reconnects after a loss.
*
* @example
* ```ts
* import { migrate, postgresStores } from '@quipu/postgres'
*
* const url = process.env['DATABASE_URL'] ?? 'postgres://localhost/quipu'
* await migrate(url)
* const stores = postgresStores({ url })
* const { now } = await stores.ping()
* const { items } = await stores.tenants.list({ limit: 10 })
* console.log(`${now.toISOString()}: ${items.length} tenants`)
* await stores.close()
* ```
*/
function postgresStores(options) {
	const database = tracedDatabase(openDatabase(options));
	let closing;
	const config = clientConfig(options);
	const commits = payoutCommits(database, config, options.batchConnections?.paying);
	const deposits = depositCommits(database, config);
	const adjusting = openBatchConnections(database, config);
	const adjustments = batchWriter(database, adjusting, adjustWalletsProtocol(database));
	const records = attemptRecords(database, config, options.batchConnections?.recording);
	const closeAll = async () => {
		await Promise.all([
			commits.close(),
			deposits.close(),
			records.close(),
			adjustments.idle()
		]);
		await adjusting.close();
		await database.close();
	};
	return {
		payouts: postgresPayoutStore(database, commits),
		networkCalls: postgresNetworkCallStore(database),
		payoutDecisions: postgresPayoutDecisionStore(database),
		quotes: postgresQuoteStore(database),
		quoting: postgresQuotingStore(database),
		resolutions: postgresResolutionStore(database),
		wallets: postgresWalletStore(database, adjustments),
		tenants: postgresTenantStore(database),
		apiKeys: postgresApiKeyStore(database),
		events: postgresEventStore(database),
		audit: postgresAuditLog(database),
		notices: postgresNoticeStore(database),
		processes: postgresProcessStore(database),
		proposals: postgresProposalStore(database),
		rateLimits: postgresRateLimitStore(database),
		operatorTokens: postgresOperatorTokenStore(database),
		consoleSessions: postgresConsoleSessionStore(database),
		differences: postgresDifferenceStore(database),
		reconciliations: postgresReconciliationStore(database),
		statements: postgresStatementStore(database),
		addresses: postgresTopUpAddressStore(database),
		scans: postgresScanStore(database),
		deposits: postgresDepositStore(database, deposits),
		faucet: postgresFaucetStore(database),
		sweeps: postgresSweepStore(database),
		webhooks: postgresWebhookStore(database),
		endpointControl: postgresEndpointControlStore(database),
		deliveries: postgresDeliveryStore(database, records),
		backlog: postgresBacklogStore(database),
		overview: postgresOverviewStore(database),
		ledgerCheck: postgresLedgerCheck(database),
		ping: databasePing(database),
		poolState: database.poolState,
		serverState: readServerState(database),
		close: () => closing ??= closeAll()
	};
}
// packages/postgres/src/upgrade/delivering.fixture.ts
function delivering(w) {
	return {
		newEndpoint: async (tenantId) => {
			const createdAt = /* @__PURE__ */ new Date();
			const id = w.ids.next("we", createdAt);
			const endpoint = {
				id,
				tenantId,
				url: "https://hooks.example/quipu",
				events: null,
				description: null,
				status: "active",
				consecutiveFailures: 0,
				pausedAt: null,
				operatorPause: null,
				createdAt,
				updatedAt: createdAt
			};
			const secrets = [{
				ciphertext: `1.${id}`,
				createdAt,
				expiresAt: null
			}];
			await w.webhooks.insert({
				endpoint,
				secrets
			}, defaultEndpointPolicy);
			return id;
		},
		events: async (tenantId) => {
			const { items } = await w.events.list(tenantId, { limit: 100 });
			const text = new TextDecoder();
			return items.map(({ id, type, subjectId, body }) => `${id} ${type} ${subjectId} ${text.decode(body)}`);
		},
		claimDeliveries: async (limit = 100) => {
			const query = {
				limit,
				leaseSeconds: 30,
				perEndpoint: 100,
				perTenant: 100,
				deliveryClass: "fast",
				catchUpPerSecond: 1e6
			};
			const claimed = await w.deliveries.claimDue(query);
			return async (statusCode) => {
				const results = {};
				for (const { claim } of claimed) {
					const recorded = await w.deliveries.record({
						claim,
						...attemptAnswered(statusCode)
					});
					results[claim.eventId] = recorded.type;
				}
				return results;
			};
		},
		deliveries: async (tenantId, endpointId) => {
			const { items } = await w.deliveries.list(tenantId, endpointId, { limit: 100 });
			return items.map(({ eventId, status, attempts }) => [
				eventId,
				status,
				...attempts.map((attempt) => attempt.statusCode)
			].join(" "));
		},
		resend: (tenantId, endpointId, eventId) => w.deliveries.resend(tenantId, {
			endpointId,
			eventId
		})
	};
}
/** A failed attempt is due again at once. */
function attemptAnswered(statusCode) {
	const isDelivered = statusCode < 300;
	return {
		attempt: {
			at: /* @__PURE__ */ new Date(),
			statusCode,
			latencyMs: 10,
			error: isDelivered ? null : "STATUS",
			excerpt: "ok"
		},
		decision: isDelivered ? { type: "delivered" } : {
			type: "retry",
			inMs: 0
		},
		isSlow: false,
		pauseAfter: 5,
		alertAfterSeconds: 900
	};
}
// packages/postgres/src/upgrade/funding.fixture.ts
function funding(w) {
	return {
		topUpAddress: async (tenantId) => (await newTopUp(w, tenantId)).address,
		scan: async (tenantId, view, txHash) => {
			const observed = newObservedTransfer(w, await newTopUp(w, tenantId), {
				createdAt: /* @__PURE__ */ new Date(),
				...txHash && { txHash }
			});
			const { scan, claim } = await scanner(w, view);
			await scan({ observedTransfers: [observed] });
			await w.scans.yieldClaim(claim);
			return refOf$1(observed).txHash;
		},
		claimDeposits: async () => {
			const claimed = await w.deposits.claimDue(100, 100);
			return async () => {
				const results = {};
				for (const each of claimed) {
					const result = await w.deposits.commit(settleDepositCommit(w, each, {}, /* @__PURE__ */ new Date()));
					results[each.deposit.txHash] = typeof result === "string" ? result : "committed";
				}
				return results;
			};
		},
		deposits: async (tenantId) => {
			const { items } = await w.deposits.list(tenantId, { limit: 100 });
			return items.map(({ txHash, status }) => `${txHash} ${status}`);
		},
		askFaucet: async (tenantId, key) => {
			const answer = await commitSend$1(w, tenantId, {
				key,
				leaseSeconds: 0
			});
			return {
				answer: answer.type,
				id: "send" in answer ? answer.send.id : ""
			};
		},
		claimSends: async () => {
			const claimed = await w.faucet.claimDue(100, 100);
			return async () => {
				const results = {};
				for (const { claim, send } of claimed) results[send.id] = await w.faucet.settle(claim, "confirmed");
				return results;
			};
		},
		faucetStatus: async (tenantId, id) => (await w.faucet.get(tenantId, id))?.status
	};
}
// packages/postgres/src/ledger/checkpoint-balances.ts
/** Compares the wallets' `seq` with their checkpoints, and reads no log. */
const walletsDue = { text: `
    select w.tenant_id from quipu.wallet w
    where w.seq >= $1 + coalesce((
      select max(c.through_seq) from quipu.balance_checkpoint c where c.tenant_id = w.tenant_id
    ), 0)` };
const checkpointBalance = {
	name: "checkpoint_balance",
	text: "select quipu.checkpoint_balance($1, $2) as added"
};
/**
* Adds balance checkpoints to every wallet whose log has grown by `size` entries since its newest one.
*
* Call it about once an hour in a long-running host; concurrent calls are safe. Without it nothing breaks,
* but the time of a reconciliation grows with the wallet's log.
*
* @returns how many checkpoints were added
* @throws Error when the database does not answer; checkpoints that were added before stay
*/
async function checkpointBalances(connection, { size = 1e4 } = {}) {
	const config = clientConfig({ url: connection });
	const within = answerTimeoutMs(config);
	return withConnection(config, async (client) => {
		let checkpoints = 0;
		const due = await runStatement(client, walletsDue, [size], within);
		for (const { tenant_id } of due) for (;;) {
			const [row] = await runStatement(client, checkpointBalance, [tenant_id, size], within);
			if (!row?.added) break;
			checkpoints += 1;
		}
		return checkpoints;
	});
}
// packages/postgres/src/upgrade/maintenance.fixture.ts
const maintenance = ({ ledgerCheck, differences, ping }, url) => ({ maintain: async () => {
	await ping();
	await ensurePartitions(url);
	await checkpointBalances(url, { size: 2 });
	for (let slice = 0; slice < 4; slice++) await ledgerCheck.wallets({
		wallets: 100,
		postings: 1e3,
		everySeconds: 0
	});
	for (let last = auditStart; last !== null;) last = await ledgerCheck.auditLog(last, 100);
	return (await differences.listChanged(0n, 1e3)).map(({ subject, detail }) => `${subject}: ${detail}`);
} });
// packages/postgres/src/upgrade/paying.fixture.ts
const paying = (w) => ({
	...writing(w),
	...reading(w)
});
function writing(w) {
	const commit = async (write) => {
		const result = await w.payouts.commit(write);
		return typeof result === "string" ? result : "committed";
	};
	const settle = (payout, answer, claim = ownerClaim(payout)) => {
		const final = answer === "paid" ? paidAnswer(payout) : { type: "cancelled" };
		return commit(w.settleCommit(payout, final, {
			claim,
			at: /* @__PURE__ */ new Date()
		}));
	};
	const quoteOf = async ({ tenantId, quoteId }) => (await w.quotes.find(tenantId, quoteId))?.quote;
	return {
		price: 10203353n,
		quote: async (tenantId) => (await w.newQuote(tenantId, { lifeSeconds: 3600 })).id,
		apply: async (order, leaseSeconds = 15) => {
			const quote = await quoteOf(order);
			const input = {
				transactionId: order.transactionId,
				createdAt: /* @__PURE__ */ new Date(),
				leaseSeconds
			};
			return quote ? commit(w.applyCommit(quote, input)) : "unknown quote";
		},
		insertEnded: async (order) => {
			const quote = await quoteOf(order);
			const input = {
				transactionId: order.transactionId,
				createdAt: /* @__PURE__ */ new Date()
			};
			return quote ? commit(w.insertEndedCommit(quote, input)) : "unknown quote";
		},
		settle: async ({ tenantId, transactionId }, answer) => {
			const payout = (await w.payouts.find(tenantId, transactionId))?.payout;
			return payout?.status === "processing" ? settle(payout, answer) : "not in processing";
		},
		claimDue: async () => {
			const claimed = await w.payouts.claimDue(100, 15);
			return async () => {
				const results = {};
				for (const { payout, claim } of claimed) results[payout.transactionId] = await settle(payout, "paid", claim);
				return results;
			};
		}
	};
}
function reading(w) {
	return {
		find: async ({ tenantId, transactionId, quoteId }) => {
			const found = await w.payouts.findForCreate(tenantId, transactionId, quoteId, "confirmed");
			const payout = found.stored?.payout;
			return {
				id: payout?.id,
				status: payout?.status,
				endedAt: payout && "endedAt" in payout ? payout.endedAt.toISOString() : void 0,
				fingerprint: found.stored?.fingerprint,
				quoteStatus: found.quote?.status
			};
		},
		wallet: async (tenantId) => {
			const books = await w.wallets.books(tenantId);
			return {
				available: books?.wallet.available.minor,
				held: books?.wallet.held.minor,
				isBalanced: books !== void 0 && isBalanced(books.wallet, books.totals)
			};
		},
		transactions: async (tenantId) => {
			const { items } = await w.wallets.transactions(tenantId, { limit: 100 });
			return items.map(({ id, type, amount, balanceAfter, transactionId, createdAt }) => `${id} ${createdAt.toISOString()} ${type} ${amount.minor} ${balanceAfter.minor} ${transactionId}`);
		}
	};
}
// packages/postgres/src/upgrade/tenancy.fixture.ts
function tenancy(w) {
	const ports = {
		...w,
		random: randomBytes,
		now: () => /* @__PURE__ */ new Date()
	};
	const keys = manageApiKeys(ports, "test");
	const tenants = manageTenants(ports);
	return {
		newTenant: async (available) => {
			const { id: tenantId } = await tenants.create("ana", {
				legalName: "Pagos",
				technicalContact: {
					name: "Rosa",
					email: "rosa@pagos.example"
				},
				pricing: { marginBps: 150 }
			});
			const funds = {
				tenantId,
				direction: "in",
				reason: "funds",
				actor: "ana"
			};
			const id = w.ids.uuid(/* @__PURE__ */ new Date());
			if (available > 0n) await adjustWallet(w, {
				...funds,
				id,
				amount: usdt(available)
			});
			return tenantId;
		},
		suspend: async (tenantId) => (await tenants.suspend("ana", tenantId))?.status,
		resume: async (tenantId) => (await tenants.resume("ana", tenantId))?.status,
		issueKey: async (tenantId) => {
			const issued = await keys.issue(operatorNamed("ada"), tenantId, {
				name: "tills",
				scopes: ["payouts:write"],
				expiresAt: null
			});
			if (issued.type === "refused") throw new Error(issued.code);
			return {
				id: issued.record.id,
				key: issued.key
			};
		},
		revokeKey: async (id) => void await keys.revoke("ana", id),
		callerOf: async (key) => {
			const caller = await w.apiKeys.findCaller(apiKeyHash(key));
			return caller && isKeyUsable(caller, /* @__PURE__ */ new Date()) ? caller.tenant.id : void 0;
		},
		audited: async (subject) => (await w.audit.list({
			subject,
			limit: 100
		})).map(({ action }) => action)
	};
}
// packages/postgres/src/upgrade/program.fixture.ts
/**
* One version of the programs, for the tests of rolling upgrades. `pnpm previous-version` bundles this file,
* with its core and stores, into the fixture of the previous version.
*/
function openProgram(url) {
	const stores = postgresStores({ url });
	const world = {
		...stores,
		...builders(stores, randomBytes),
		advance: async () => {}
	};
	return {
		...tenancy(world),
		...paying(world),
		...funding(world),
		...delivering(world),
		...maintenance(stores, url),
		close: stores.close
	};
}
export { migrate, openProgram, postgresStores, storeContracts };
