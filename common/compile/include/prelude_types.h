// Vector types, dim3, threadIdx and its kin.

// Up to three elements, and four small ones, are plain structs.
#define PRELUDE_VECTOR1(name, T) \
  struct name { T x; };          \
  PRELUDE name make_##name(T x) { return {x}; }
#define PRELUDE_VECTOR2(name, T, align)    \
  struct __align__(align) name { T x, y; }; \
  PRELUDE name make_##name(T x, T y) { return {x, y}; }
#define PRELUDE_VECTOR3(name, T)  \
  struct name { T x, y, z; };     \
  PRELUDE name make_##name(T x, T y, T z) { return {x, y, z}; }
#define PRELUDE_VECTOR4(name, T, align)          \
  struct __align__(align) name { T x, y, z, w; }; \
  PRELUDE name make_##name(T x, T y, T z, T w) { return {x, y, z, w}; }

// The wide ones of two and four are aligned so that one instruction can move
// them. clang would split a plain struct into 8-byte pieces, hence the copy as
// one vector. A union or a struct with such a member can then not always be
// copied itself; PRELUDE_PLAIN_VECTORS gives a kernel that does so plain structs.
#ifdef PRELUDE_PLAIN_VECTORS
#define PRELUDE_WIDE2 PRELUDE_VECTOR2
#define PRELUDE_WIDE4 PRELUDE_VECTOR4
#else
#define PRELUDE_COPY(name, T, count, align)                                               \
  typedef T wide __attribute__((ext_vector_type(count), aligned(align)));                 \
  name() = default;                                                                       \
  __host__ __device__ name(const name& v) { *this = v; }                                  \
  __host__ __device__ name& operator=(const name& v) {                                    \
    *reinterpret_cast<wide*>(this) = reinterpret_cast<const wide&>(v);                    \
    return *this;                                                                         \
  }                                                                                       \
  static constexpr T item(std::initializer_list<T> list, size_t i) {                      \
    return i < list.size() ? list.begin()[i] : 0;                                         \
  }
#define PRELUDE_WIDE2(name, T, align)                                                     \
  struct __align__(align) name {                                                          \
    T x, y;                                                                               \
    PRELUDE_COPY(name, T, 2, align)                                                       \
    constexpr name(std::initializer_list<T> v) : x(item(v, 0)), y(item(v, 1)) {}          \
    constexpr __host__ __device__ name(T x, T y) : x(x), y(y) {}                          \
  };                                                                                      \
  PRELUDE name make_##name(T x, T y) { return name(x, y); }
#define PRELUDE_WIDE4(name, T, align)                                                     \
  struct __align__(align) name {                                                          \
    T x, y, z, w;                                                                         \
    PRELUDE_COPY(name, T, 4, align)                                                       \
    constexpr name(std::initializer_list<T> v)                                            \
        : x(item(v, 0)), y(item(v, 1)), z(item(v, 2)), w(item(v, 3)) {}                   \
    constexpr __host__ __device__ name(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}    \
  };                                                                                      \
  PRELUDE name make_##name(T x, T y, T z, T w) { return name(x, y, z, w); }
#endif

#define PRELUDE_NARROW(name, T, size)    \
  PRELUDE_VECTOR1(name##1, T)            \
  PRELUDE_VECTOR2(name##2, T, 2 * size)  \
  PRELUDE_VECTOR3(name##3, T)            \
  PRELUDE_VECTOR4(name##4, T, 4 * size)
#define PRELUDE_WORD(name, T)   \
  PRELUDE_VECTOR1(name##1, T)   \
  PRELUDE_WIDE2(name##2, T, 8)  \
  PRELUDE_VECTOR3(name##3, T)   \
  PRELUDE_WIDE4(name##4, T, 16)
#define PRELUDE_LONG(name, T)   \
  PRELUDE_VECTOR1(name##1, T)   \
  PRELUDE_WIDE2(name##2, T, 16) \
  PRELUDE_VECTOR3(name##3, T)   \
  PRELUDE_WIDE4(name##4, T, 16)
PRELUDE_NARROW(char, signed char, 1)
PRELUDE_NARROW(uchar, unsigned char, 1)
PRELUDE_NARROW(short, short, 2)
PRELUDE_NARROW(ushort, unsigned short, 2)
PRELUDE_WORD(int, int)
PRELUDE_WORD(uint, unsigned)
PRELUDE_WORD(float, float)
PRELUDE_LONG(long, long)
PRELUDE_LONG(ulong, unsigned long)
PRELUDE_LONG(longlong, long long)
PRELUDE_LONG(ulonglong, unsigned long long)
PRELUDE_LONG(double, double)
#undef PRELUDE_COPY
#undef PRELUDE_VECTOR1
#undef PRELUDE_VECTOR2
#undef PRELUDE_VECTOR3
#undef PRELUDE_VECTOR4
#undef PRELUDE_WIDE2
#undef PRELUDE_WIDE4
#undef PRELUDE_NARROW
#undef PRELUDE_WORD
#undef PRELUDE_LONG

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return {x, y, z}; }
};

// threadIdx and its kin hold nothing: a member that is read becomes the special
// register. A copy (auto t = threadIdx) reads the same.
#define PRELUDE_SPECIAL(name, reg)                                             \
  struct prelude_##name {                                                      \
    __declspec(property(get = get_x)) unsigned x;                              \
    __declspec(property(get = get_y)) unsigned y;                              \
    __declspec(property(get = get_z)) unsigned z;                              \
    static PRELUDE_MEMBER unsigned get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); } \
    static PRELUDE_MEMBER unsigned get_y() { return __nvvm_read_ptx_sreg_##reg##_y(); } \
    static PRELUDE_MEMBER unsigned get_z() { return __nvvm_read_ptx_sreg_##reg##_z(); } \
    PRELUDE_MEMBER operator uint3() const { return {x, y, z}; }                \
    PRELUDE_MEMBER operator dim3() const { return dim3(x, y, z); }             \
  };                                                                           \
  extern const __device__ __attribute__((weak)) prelude_##name name;
#define PRELUDE_MEMBER __host__ __device__ __forceinline__
PRELUDE_SPECIAL(threadIdx, tid)
PRELUDE_SPECIAL(blockIdx, ctaid)
PRELUDE_SPECIAL(blockDim, ntid)
PRELUDE_SPECIAL(gridDim, nctaid)
#undef PRELUDE_SPECIAL
#undef PRELUDE_MEMBER
const int warpSize = 32;
