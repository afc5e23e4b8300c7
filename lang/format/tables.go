package format

// The tables hold what differs from, or isn't in, Go's unicode package. They
// were recorded from CPython 3.11 (Unicode 14.0); a test holds checksums over
// all code points.

type runeRange struct{ lo, hi rune }

// newRunes are assigned in the version Go has but not in 14.0.
var newRunes = []runeRange{
	{0xcf3, 0xcf3}, {0xece, 0xece}, {0x10efd, 0x10eff}, {0x1123f, 0x11241}, {0x11b00, 0x11b09},
	{0x11f00, 0x11f10}, {0x11f12, 0x11f3a}, {0x11f3e, 0x11f59}, {0x1342f, 0x1342f}, {0x13439, 0x13455},
	{0x1b132, 0x1b132}, {0x1b155, 0x1b155}, {0x1d2c0, 0x1d2d3}, {0x1df25, 0x1df2a}, {0x1e030, 0x1e06d},
	{0x1e08f, 0x1e08f}, {0x1e4d0, 0x1e4f9}, {0x1f6dc, 0x1f6dc}, {0x1f774, 0x1f776}, {0x1f77b, 0x1f77f},
	{0x1f7d9, 0x1f7d9}, {0x1fa75, 0x1fa77}, {0x1fa87, 0x1fa88}, {0x1faad, 0x1faaf}, {0x1fabb, 0x1fabd},
	{0x1fabf, 0x1fabf}, {0x1face, 0x1facf}, {0x1fada, 0x1fadb}, {0x1fae8, 0x1fae8}, {0x1faf7, 0x1faf8},
	{0x2b739, 0x2b739}, {0x31350, 0x323af},
}

// extraDigits are digits (superscripts, circled …) that are not decimal.
var extraDigits = []runeRange{
	{0xb2, 0xb3}, {0xb9, 0xb9}, {0x1369, 0x1371}, {0x19da, 0x19da}, {0x2070, 0x2070}, {0x2074, 0x2079},
	{0x2080, 0x2089}, {0x2460, 0x2468}, {0x2474, 0x247c}, {0x2488, 0x2490}, {0x24ea, 0x24ea}, {0x24f5, 0x24fd},
	{0x24ff, 0x24ff}, {0x2776, 0x277e}, {0x2780, 0x2788}, {0x278a, 0x2792}, {0x10a40, 0x10a43},
	{0x10e60, 0x10e68}, {0x11052, 0x1105a}, {0x1f100, 0x1f10a},
}

// extraNumerics are numeric without being of a number category.
var extraNumerics = []runeRange{
	{0x3405, 0x3405}, {0x3483, 0x3483}, {0x382a, 0x382a}, {0x3b4d, 0x3b4d}, {0x4e00, 0x4e00}, {0x4e03, 0x4e03},
	{0x4e07, 0x4e07}, {0x4e09, 0x4e09}, {0x4e5d, 0x4e5d}, {0x4e8c, 0x4e8c}, {0x4e94, 0x4e94}, {0x4e96, 0x4e96},
	{0x4ebf, 0x4ec0}, {0x4edf, 0x4edf}, {0x4ee8, 0x4ee8}, {0x4f0d, 0x4f0d}, {0x4f70, 0x4f70}, {0x5104, 0x5104},
	{0x5146, 0x5146}, {0x5169, 0x5169}, {0x516b, 0x516b}, {0x516d, 0x516d}, {0x5341, 0x5341}, {0x5343, 0x5345},
	{0x534c, 0x534c}, {0x53c1, 0x53c4}, {0x56db, 0x56db}, {0x58f1, 0x58f1}, {0x58f9, 0x58f9}, {0x5e7a, 0x5e7a},
	{0x5efe, 0x5eff}, {0x5f0c, 0x5f0e}, {0x5f10, 0x5f10}, {0x62fe, 0x62fe}, {0x634c, 0x634c}, {0x67d2, 0x67d2},
	{0x6f06, 0x6f06}, {0x7396, 0x7396}, {0x767e, 0x767e}, {0x8086, 0x8086}, {0x842c, 0x842c}, {0x8cae, 0x8cae},
	{0x8cb3, 0x8cb3}, {0x8d30, 0x8d30}, {0x9621, 0x9621}, {0x9646, 0x9646}, {0x964c, 0x964c}, {0x9678, 0x9678},
	{0x96f6, 0x96f6}, {0xf96b, 0xf96b}, {0xf973, 0xf973}, {0xf978, 0xf978}, {0xf9b2, 0xf9b2}, {0xf9d1, 0xf9d1},
	{0xf9d3, 0xf9d3}, {0xf9fd, 0xf9fd}, {0x20001, 0x20001}, {0x20064, 0x20064}, {0x200e2, 0x200e2},
	{0x20121, 0x20121}, {0x2092a, 0x2092a}, {0x20983, 0x20983}, {0x2098c, 0x2098c}, {0x2099c, 0x2099c},
	{0x20aea, 0x20aea}, {0x20afd, 0x20afd}, {0x20b19, 0x20b19}, {0x22390, 0x22390}, {0x22998, 0x22998},
	{0x23b1b, 0x23b1b}, {0x2626d, 0x2626d}, {0x2f890, 0x2f890},
}

// notStart look like letters but cannot begin an identifier.
var notStart = []runeRange{
	{0x37a, 0x37a}, {0xe33, 0xe33}, {0xeb3, 0xeb3}, {0x2e2f, 0x2e2f}, {0x309b, 0x309c}, {0xfc5e, 0xfc63},
	{0xfdfa, 0xfdfb}, {0xfe70, 0xfe70}, {0xfe72, 0xfe72}, {0xfe74, 0xfe74}, {0xfe76, 0xfe76}, {0xfe78, 0xfe78},
	{0xfe7a, 0xfe7a}, {0xfe7c, 0xfe7c}, {0xfe7e, 0xfe7e}, {0xff9e, 0xff9f},
}

// notContinue look like identifier characters but are none.
var notContinue = []runeRange{
	{0x37a, 0x37a}, {0x2e2f, 0x2e2f}, {0x309b, 0x309c}, {0xfc5e, 0xfc63}, {0xfdfa, 0xfdfb}, {0xfe70, 0xfe70},
	{0xfe72, 0xfe72}, {0xfe74, 0xfe74}, {0xfe76, 0xfe76}, {0xfe78, 0xfe78}, {0xfe7a, 0xfe7a}, {0xfe7c, 0xfe7c},
	{0xfe7e, 0xfe7e},
}

// upperRows are the characters whose upper case is several characters: the character, then its upper case.
const upperRows = "" +
	"\u00dfSS \u0149\u02bcN \u01f0J\u030c \u0390\u0399\u0308\u0301 \u03b0\u03a5\u0308\u0301 \u0587\u0535\u0552 " +
	"\u1e96H\u0331 \u1e97T\u0308 \u1e98W\u030a \u1e99Y\u030a \u1e9aA\u02be \u1f50\u03a5\u0313 " +
	"\u1f52\u03a5\u0313\u0300 \u1f54\u03a5\u0313\u0301 \u1f56\u03a5\u0313\u0342 \u1f80\u1f08\u0399 " +
	"\u1f81\u1f09\u0399 \u1f82\u1f0a\u0399 \u1f83\u1f0b\u0399 \u1f84\u1f0c\u0399 \u1f85\u1f0d\u0399 " +
	"\u1f86\u1f0e\u0399 \u1f87\u1f0f\u0399 \u1f88\u1f08\u0399 \u1f89\u1f09\u0399 \u1f8a\u1f0a\u0399 " +
	"\u1f8b\u1f0b\u0399 \u1f8c\u1f0c\u0399 \u1f8d\u1f0d\u0399 \u1f8e\u1f0e\u0399 \u1f8f\u1f0f\u0399 " +
	"\u1f90\u1f28\u0399 \u1f91\u1f29\u0399 \u1f92\u1f2a\u0399 \u1f93\u1f2b\u0399 \u1f94\u1f2c\u0399 " +
	"\u1f95\u1f2d\u0399 \u1f96\u1f2e\u0399 \u1f97\u1f2f\u0399 \u1f98\u1f28\u0399 \u1f99\u1f29\u0399 " +
	"\u1f9a\u1f2a\u0399 \u1f9b\u1f2b\u0399 \u1f9c\u1f2c\u0399 \u1f9d\u1f2d\u0399 \u1f9e\u1f2e\u0399 " +
	"\u1f9f\u1f2f\u0399 \u1fa0\u1f68\u0399 \u1fa1\u1f69\u0399 \u1fa2\u1f6a\u0399 \u1fa3\u1f6b\u0399 " +
	"\u1fa4\u1f6c\u0399 \u1fa5\u1f6d\u0399 \u1fa6\u1f6e\u0399 \u1fa7\u1f6f\u0399 \u1fa8\u1f68\u0399 " +
	"\u1fa9\u1f69\u0399 \u1faa\u1f6a\u0399 \u1fab\u1f6b\u0399 \u1fac\u1f6c\u0399 \u1fad\u1f6d\u0399 " +
	"\u1fae\u1f6e\u0399 \u1faf\u1f6f\u0399 \u1fb2\u1fba\u0399 \u1fb3\u0391\u0399 \u1fb4\u0386\u0399 " +
	"\u1fb6\u0391\u0342 \u1fb7\u0391\u0342\u0399 \u1fbc\u0391\u0399 \u1fc2\u1fca\u0399 \u1fc3\u0397\u0399 " +
	"\u1fc4\u0389\u0399 \u1fc6\u0397\u0342 \u1fc7\u0397\u0342\u0399 \u1fcc\u0397\u0399 \u1fd2\u0399\u0308\u0300 " +
	"\u1fd3\u0399\u0308\u0301 \u1fd6\u0399\u0342 \u1fd7\u0399\u0308\u0342 \u1fe2\u03a5\u0308\u0300 " +
	"\u1fe3\u03a5\u0308\u0301 \u1fe4\u03a1\u0313 \u1fe6\u03a5\u0342 \u1fe7\u03a5\u0308\u0342 \u1ff2\u1ffa\u0399 " +
	"\u1ff3\u03a9\u0399 \u1ff4\u038f\u0399 \u1ff6\u03a9\u0342 \u1ff7\u03a9\u0342\u0399 \u1ffc\u03a9\u0399 \ufb00FF " +
	"\ufb01FI \ufb02FL \ufb03FFI \ufb04FFL \ufb05ST \ufb06ST \ufb13\u0544\u0546 \ufb14\u0544\u0535 " +
	"\ufb15\u0544\u053b \ufb16\u054e\u0546 \ufb17\u0544\u053d"

// titleRows are the same for title case.
const titleRows = "" +
	"\u00dfSs \u0149\u02bcN \u01f0J\u030c \u0390\u0399\u0308\u0301 \u03b0\u03a5\u0308\u0301 \u0587\u0535\u0582 " +
	"\u1e96H\u0331 \u1e97T\u0308 \u1e98W\u030a \u1e99Y\u030a \u1e9aA\u02be \u1f50\u03a5\u0313 " +
	"\u1f52\u03a5\u0313\u0300 \u1f54\u03a5\u0313\u0301 \u1f56\u03a5\u0313\u0342 \u1fb2\u1fba\u0345 " +
	"\u1fb4\u0386\u0345 \u1fb6\u0391\u0342 \u1fb7\u0391\u0342\u0345 \u1fc2\u1fca\u0345 \u1fc4\u0389\u0345 " +
	"\u1fc6\u0397\u0342 \u1fc7\u0397\u0342\u0345 \u1fd2\u0399\u0308\u0300 \u1fd3\u0399\u0308\u0301 " +
	"\u1fd6\u0399\u0342 \u1fd7\u0399\u0308\u0342 \u1fe2\u03a5\u0308\u0300 \u1fe3\u03a5\u0308\u0301 " +
	"\u1fe4\u03a1\u0313 \u1fe6\u03a5\u0342 \u1fe7\u03a5\u0308\u0342 \u1ff2\u1ffa\u0345 \u1ff4\u038f\u0345 " +
	"\u1ff6\u03a9\u0342 \u1ff7\u03a9\u0342\u0345 \ufb00Ff \ufb01Fi \ufb02Fl \ufb03Ffi \ufb04Ffl \ufb05St \ufb06St " +
	"\ufb13\u0544\u0576 \ufb14\u0544\u0565 \ufb15\u0544\u056b \ufb16\u054e\u0576 \ufb17\u0544\u056d"

// foldRows are the characters whose case folding is not their lower case.
const foldRows = "" +
	"\u00b5\u03bc \u00dfss \u0149\u02bcn \u017fs \u01f0j\u030c \u0345\u03b9 \u0390\u03b9\u0308\u0301 " +
	"\u03b0\u03c5\u0308\u0301 \u03c2\u03c3 \u03d0\u03b2 \u03d1\u03b8 \u03d5\u03c6 \u03d6\u03c0 \u03f0\u03ba " +
	"\u03f1\u03c1 \u03f5\u03b5 \u0587\u0565\u0582 \u1c80\u0432 \u1c81\u0434 \u1c82\u043e \u1c83\u0441 \u1c84\u0442 " +
	"\u1c85\u0442 \u1c86\u044a \u1c87\u0463 \u1c88\ua64b \u1e96h\u0331 \u1e97t\u0308 \u1e98w\u030a \u1e99y\u030a " +
	"\u1e9aa\u02be \u1e9b\u1e61 \u1e9ess \u1f50\u03c5\u0313 \u1f52\u03c5\u0313\u0300 \u1f54\u03c5\u0313\u0301 " +
	"\u1f56\u03c5\u0313\u0342 \u1f80\u1f00\u03b9 \u1f81\u1f01\u03b9 \u1f82\u1f02\u03b9 \u1f83\u1f03\u03b9 " +
	"\u1f84\u1f04\u03b9 \u1f85\u1f05\u03b9 \u1f86\u1f06\u03b9 \u1f87\u1f07\u03b9 \u1f88\u1f00\u03b9 " +
	"\u1f89\u1f01\u03b9 \u1f8a\u1f02\u03b9 \u1f8b\u1f03\u03b9 \u1f8c\u1f04\u03b9 \u1f8d\u1f05\u03b9 " +
	"\u1f8e\u1f06\u03b9 \u1f8f\u1f07\u03b9 \u1f90\u1f20\u03b9 \u1f91\u1f21\u03b9 \u1f92\u1f22\u03b9 " +
	"\u1f93\u1f23\u03b9 \u1f94\u1f24\u03b9 \u1f95\u1f25\u03b9 \u1f96\u1f26\u03b9 \u1f97\u1f27\u03b9 " +
	"\u1f98\u1f20\u03b9 \u1f99\u1f21\u03b9 \u1f9a\u1f22\u03b9 \u1f9b\u1f23\u03b9 \u1f9c\u1f24\u03b9 " +
	"\u1f9d\u1f25\u03b9 \u1f9e\u1f26\u03b9 \u1f9f\u1f27\u03b9 \u1fa0\u1f60\u03b9 \u1fa1\u1f61\u03b9 " +
	"\u1fa2\u1f62\u03b9 \u1fa3\u1f63\u03b9 \u1fa4\u1f64\u03b9 \u1fa5\u1f65\u03b9 \u1fa6\u1f66\u03b9 " +
	"\u1fa7\u1f67\u03b9 \u1fa8\u1f60\u03b9 \u1fa9\u1f61\u03b9 \u1faa\u1f62\u03b9 \u1fab\u1f63\u03b9 " +
	"\u1fac\u1f64\u03b9 \u1fad\u1f65\u03b9 \u1fae\u1f66\u03b9 \u1faf\u1f67\u03b9 \u1fb2\u1f70\u03b9 " +
	"\u1fb3\u03b1\u03b9 \u1fb4\u03ac\u03b9 \u1fb6\u03b1\u0342 \u1fb7\u03b1\u0342\u03b9 \u1fbc\u03b1\u03b9 " +
	"\u1fbe\u03b9 \u1fc2\u1f74\u03b9 \u1fc3\u03b7\u03b9 \u1fc4\u03ae\u03b9 \u1fc6\u03b7\u0342 " +
	"\u1fc7\u03b7\u0342\u03b9 \u1fcc\u03b7\u03b9 \u1fd2\u03b9\u0308\u0300 \u1fd3\u03b9\u0308\u0301 " +
	"\u1fd6\u03b9\u0342 \u1fd7\u03b9\u0308\u0342 \u1fe2\u03c5\u0308\u0300 \u1fe3\u03c5\u0308\u0301 " +
	"\u1fe4\u03c1\u0313 \u1fe6\u03c5\u0342 \u1fe7\u03c5\u0308\u0342 \u1ff2\u1f7c\u03b9 \u1ff3\u03c9\u03b9 " +
	"\u1ff4\u03ce\u03b9 \u1ff6\u03c9\u0342 \u1ff7\u03c9\u0342\u03b9 \u1ffc\u03c9\u03b9 \ufb00ff \ufb01fi \ufb02fl " +
	"\ufb03ffi \ufb04ffl \ufb05st \ufb06st \ufb13\u0574\u0576 \ufb14\u0574\u0565 \ufb15\u0574\u056b " +
	"\ufb16\u057e\u0576 \ufb17\u0574\u056d"
