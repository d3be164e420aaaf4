"""Tokens -> a tree. Precedence climbing over a stretch of tokens; nothing is ever executed."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from verifier.arithmetic.lexer import RAISED, RAISED_MOST, SUPERSCRIPTS, Kind, Token
from verifier.arithmetic.tree import Apply, Name, Number, Tree
from verifier.arithmetic.units import known

DEPTH = 60
"""Nested brackets and signs at most."""


LEVELS = {"+": 1, "-": 1, "up": 1, "down": 1, "*": 2, "/": 2, "of": 2, "^": 4}

STOP = frozenset(
    (
        *(
            "and",
            "or",
            "but",
            "so",
            "then",
            "if",
            "because",
            "which",
            "that",
            "from",
            "to",
            "for",
            "in",
        ),
        *(
            "on",
            "at",
            "by",
            "with",
            "the",
            "we",
            "he",
            "she",
            "it",
            "they",
            "you",
            "i",
            "as",
            "since",
        ),
        *(
            "since",
            "when",
            "where",
            "while",
            "therefore",
            "thus",
            "hence",
            "not",
            "get",
            "have",
            "has",
        ),
    )
)
"""Words that never belong to the thing that is counted."""

LINKS = frozenset(("per", "a", "an", "each", "of"))
"""Words inside of it: miles per hour, pairs of shoes."""

LISTED = {"sum": "+", "product": "*", "difference": "-", "quotient": "/"}
"""Operations that are named before their operands: the sum of 2 and 3."""

POWERS = 400
"""Power of ten of a number at most."""

NOUNS = 6
"""Words behind a number that may name what is counted."""


class NotArithmetic(Exception):  # noqa: N818 - says what the tokens are
    """The tokens are no expression."""


def parse(tokens: Sequence[Token], *, loose: bool = False) -> tuple[Tree, int]:
    """The longest expression at the beginning of the tokens.

    Args:
        tokens: of one clause.
        loose: take `and` between counted things for a plus.

    Returns:
        The tree, and how many tokens it takes.

    Raises:
        NotArithmetic: the tokens begin with none.
    """
    parser = _Parser(tokens, loose)
    tree = parser.expression(0)
    return tree, parser.at


def is_name(text: str) -> bool:
    """True for a letter, which may be raised to a power: `x`, `x\u00b2`.

    >>> is_name("x"), is_name("x\u00b2"), is_name("km")
    (True, True, False)
    """
    raised = RAISED.fullmatch(text, 1) is not None and len(text) <= RAISED_MOST
    return len(text) == 1 or raised


class _Parser:
    def __init__(self, tokens: Sequence[Token], loose: bool) -> None:
        self.tokens = tokens
        self.loose = loose
        self.at = 0
        self.depth = 0

    def expression(self, level: int) -> Tree:
        """Operators from a level of precedence on; steps back where no operand follows one."""
        self.depth += 1
        if self.depth > DEPTH:
            raise NotArithmetic("nested too deeply")
        left = self._operand()
        while (step := self._operator(left)) is not None and LEVELS[step[0]] > level:
            sign, size, back = step[0], step[1], self.at
            self.at += size
            try:
                # A power binds to the right: 2^3^2 is 2^9.
                right = self.expression(LEVELS[sign] - (sign == "^"))
            except NotArithmetic:
                self.at = back
                break
            left = Apply("*" if sign == "of" else sign, (left, right))
        self.depth -= 1
        return left

    def _peek(self, ahead: int = 0) -> Token | None:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def _operator(self, left: Tree) -> tuple[str, int] | None:
        """Sign and number of tokens of the operator that comes next; 0 for an implied one."""
        token, last = self._peek(), self.tokens[self.at - 1]
        if token is None:
            return None
        if token.kind is Kind.OPERATOR:
            share = isinstance(left, Apply) and left.sign in ("%", "/", "*")
            return (token.text, 1) if token.text != "of" or share else None
        if token.kind is Kind.WORD and token.text == "and" and self.loose:
            return "+", 1
        adjacent = token.start == last.end
        name = token.kind is Kind.WORD and is_name(token.text)
        if adjacent and (token.kind is Kind.OPEN or name) and last.kind is not Kind.WORD:
            return "*", 0
        is_function = token.kind is Kind.FUNCTION and last.kind in (Kind.NUMBER, Kind.CLOSE)
        return ("*", 0) if is_function else None

    def _operand(self) -> Tree:
        token = self._peek()
        if token is None:
            raise NotArithmetic("an operand is missing")
        if token.kind is Kind.OPERATOR and token.text in "+-":
            self.at += 1
            inner = self.expression(2)
            return inner if token.text == "+" else Apply("neg", (inner,))
        if token.text.lower() in LISTED and (of := self._peek(1)) and of.text == "of":
            return self._listed(LISTED[token.text.lower()])
        makers: dict[Kind, Callable[[], Tree]] = {
            Kind.NUMBER: self._number,
            Kind.SHARE: self._share,
            Kind.OPEN: self._group,
            Kind.FUNCTION: self._function,
            Kind.WORD: self._name,
        }
        if token.kind not in makers:
            raise NotArithmetic(f"{token.text!r} is no operand")
        return self._behind(makers[token.kind]())

    def _listed(self, sign: str) -> Tree:
        """The sum of two things, and its like."""
        self.at += 2
        left = self.expression(0)
        token = self._peek()
        if token is None or token.text.lower() != "and":
            raise NotArithmetic("a second operand is missing")
        self.at += 1
        return Apply(sign, (left, self.expression(0)))

    def _number(self) -> Tree:
        token = self.tokens[self.at]
        self.at += 1
        tree: Tree = Number(token.value, token.places, token.text)
        if mixed := self._mixed(token) or self._joined_fraction(tree, token):
            return mixed
        if power := self._scientific(token):
            return power
        if self._is_divisor():
            bottom = self.tokens[self.at + 1]
            self.at += 2
            return Apply("/", (tree, Number(bottom.value, bottom.places, bottom.text)))
        follows = self._peek()
        if follows and follows.kind is Kind.SHARE and follows.value < 1:
            self.at += 1
            return Apply("*", (tree, Number(follows.value)))
        size, unit = self._nouns()
        if size:
            self.at += size
            return Number(token.value, token.places, token.text, unit)
        return tree

    def _mixed(self, whole: Token) -> Tree | None:
        """A mixed number such as 1 1/2."""
        ahead = [self._peek(n) for n in range(3)]
        top, slash, bottom = ahead
        if not (top and slash and bottom and top.kind is bottom.kind is Kind.NUMBER):
            return None
        tight = slash.text == "/" and top.end == slash.start and slash.end == bottom.start
        apart = whole.end + 1 == top.start and whole.value.denominator == 1
        if not (tight and apart and 0 < top.value < bottom.value <= 100):
            return None
        self.at += 3
        return Apply("+", (Number(whole.value), Number(top.value / bottom.value)))

    def _joined_fraction(self, whole: Tree, token: Token) -> Tree | None:
        r"""The fraction that touches a whole number: `7\frac{1}{2}`, `7\u00bd`."""
        follows = self._peek()
        if follows is None or follows.start != token.end or token.value.denominator != 1:
            return None
        if follows.kind is Kind.NUMBER and follows.value < 1 and not follows.text[0].isdigit():
            self.at += 1
            return Apply("+", (whole, Number(follows.value)))
        if follows.text == "frac":
            return Apply("+", (whole, self._function()))
        return None

    def _scientific(self, token: Token) -> Tree | None:
        """A number in powers of ten, `6.02 x 10^23`, which binds closer than any operator."""
        ahead = [self._peek(n) for n in range(6)]
        times, ten = ahead[0], ahead[1]
        if not (times and ten and times.text == "*" and ten.text == "10"):
            return None
        rest = [one for one in ahead[2:] if one is not None]
        if rest and rest[0].kind is Kind.POWER:
            size, power = 3, rest[0].value
        else:
            size, power = self._power_of_ten(rest)
        if not size or abs(power) > POWERS:
            return None
        self.at += size
        shown = token.places - int(power)
        return Number(token.value * Fraction(10) ** int(power), shown, token.text)

    @staticmethod
    def _power_of_ten(rest: Sequence[Token]) -> tuple[int, Fraction]:
        """Tokens up to and with the exponent behind `x 10`, and its value; 0 tokens if none."""
        if not rest or rest[0].text != "^":
            return 0, Fraction(0)
        inner = list(rest[1:])
        bracket = bool(inner) and inner[0].kind is Kind.OPEN
        inner = inner[bracket:]
        negative = bool(inner) and inner[0].text == "-"
        inner = inner[negative:]
        if not inner or inner[0].kind is not Kind.NUMBER or inner[0].value.denominator != 1:
            return 0, Fraction(0)
        size = 4 + negative + 2 * bracket
        return size, -inner[0].value if negative else inner[0].value

    def _is_divisor(self) -> bool:
        """True within `3 / 1/2`: what stands close together is one number."""
        ahead = self.tokens[self.at - 1 : self.at + 2]
        before = self.tokens[max(0, self.at - 3) : self.at]
        if len(ahead) < 3 or len(before) < 3 or ahead[1].text != "/" or before[1].text != "/":
            return False
        apart = before[0].end < before[1].start and before[1].end < before[2].start
        tight = ahead[0].end == ahead[1].start and ahead[1].end == ahead[2].start
        return apart and tight and ahead[2].kind is Kind.NUMBER

    def _nouns(self) -> tuple[int, str]:
        """How many tokens name what is counted, where arithmetic goes on behind them; and they."""
        size = 0
        while size < NOUNS:
            token = self._peek(size)
            if token is None or not self._is_noun(token, size):
                break
            size += 1
        size += self._raised(size)
        token = self._peek(size)
        goes_on = token is None or token.kind in (Kind.OPERATOR, Kind.EQUAL, Kind.CLOSE)
        goes_on = goes_on or (token is not None and token.kind is Kind.WORD and self.loose)
        if not size or not goes_on:
            return 0, ""
        return size, " ".join(one.text for one in self.tokens[self.at : self.at + size])

    def _raised(self, size: int) -> int:
        """Tokens of a power behind a unit: `20 m^2`, `9.8 m/s^{2}`."""
        unit, hat = self._peek(size - 1), self._peek(size)
        if not (size and unit and hat and hat.text == "^" and known(unit.text.split("/")[0])):
            return 0
        first = self._peek(size + 1)
        if first is not None and first.kind is Kind.NUMBER:
            return 2
        last = self._peek(size + 3)
        closed = first and last and first.kind is Kind.OPEN and last.kind is Kind.CLOSE
        return 4 if closed else 0

    def _is_noun(self, token: Token, size: int) -> bool:
        word = token.text.lower()
        if token.kind is Kind.OPERATOR:
            return word == "of" and size > 0
        if token.kind is not Kind.WORD or word in STOP:
            return False
        beside = token.start == self.tokens[self.at - 1].end
        return len(word) > 1 or size > 0 or not beside

    def _share(self) -> Tree:
        token = self.tokens[self.at]
        self.at += 1
        follows = self._peek()
        if token.value < 1 and not (follows and follows.text == "of"):
            raise NotArithmetic(f"{token.text!r} stands alone")
        if token.value > 1:
            return Apply("*", (Number(token.value), self.expression(2)))
        return Apply("/", (Number(Fraction(1)), Number(1 / token.value)))

    def _group(self) -> Tree:
        self.at += 1
        inner = self.expression(0)
        token = self._peek()
        if token is None or token.kind is not Kind.CLOSE:
            raise NotArithmetic("a bracket is not closed")
        self.at += 1
        return inner

    def _function(self) -> Tree:
        token = self.tokens[self.at]
        self.at += 1
        if token.text == "frac":
            return Apply("/", (self._argument(1), self._argument(1)))
        return Apply(token.text, (self._argument(),))

    def _argument(self, digits: int = 60) -> Tree:
        """What a function is applied to: a group, or a bare number of so many digits at most."""
        token = self._peek()
        if token and token.kind is Kind.OPEN and token.text != "[":
            return self._group()
        if token and token.kind is Kind.NUMBER and len(token.text) <= digits:
            self.at += 1
            return Number(token.value, token.places, token.text)
        raise NotArithmetic("a function without an argument")

    def _name(self) -> Tree:
        token = self.tokens[self.at]
        if not is_name(token.text):
            raise NotArithmetic(f"{token.text!r} is a word")
        self.at += 1
        name, raised = Name(token.text[0]), token.text[1:].translate(SUPERSCRIPTS)
        return Apply("^", (name, Number(Fraction(int(raised))))) if raised else name

    def _behind(self, tree: Tree) -> Tree:
        """Percent signs, powers and factorials behind an operand."""
        while (token := self._peek()) is not None:
            if token.kind is Kind.PERCENT:
                tree = Apply("%", (tree,))
            elif token.kind is Kind.POWER:
                tree = Apply("^", (tree, Number(token.value)))
            elif token.kind is Kind.FACTORIAL:
                tree = Apply("!", (tree,))
            else:
                break
            self.at += 1
        return tree
